import { useTranslation } from 'react-i18next'
import { formatDate } from '@/shared/lib/format'
import { ButtonLink } from '@/shared/ui/button'
import { RichText } from '@/shared/ui/rich-text'
import styles from './notice-text.module.css'

type NoticeTextProps = { html: string; at: string; to?: string | null; onGo?: () => void }

export default function NoticeText({ html, at, to, onGo }: NoticeTextProps) {
  const { t } = useTranslation('notifications')
  return (
    <div className={styles.notice}>
      <time className={styles.time} dateTime={at}>
        {formatDate(at)}
      </time>
      <RichText html={html} />
      {to && (
        <ButtonLink to={to} onClick={onGo}>
          {t('see')}
        </ButtonLink>
      )}
    </div>
  )
}
