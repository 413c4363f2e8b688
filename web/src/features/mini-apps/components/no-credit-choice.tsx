import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import styles from '../pages/mini-app-page.module.css'

/** What a user without credits can do. Both choices dismiss the prompt. */
export default function NoCreditChoice({ onLater }: { onLater: () => void }) {
  const { t } = useTranslation('miniApps')
  return (
    <div className={styles.creditChoice}>
      <p>{t('noCredit.text')}</p>
      <div className={styles.creditActions}>
        <ButtonLink tone="primary" to={paths.pricing()} onClick={onLater}>
          {t('noCredit.plans')}
        </ButtonLink>
        <Button tone="ghost" onClick={onLater}>
          {t('noCredit.later')}
        </Button>
      </div>
    </div>
  )
}
