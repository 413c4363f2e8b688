import { notification } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useReason } from '@/shared/lib/problem-text'
import { AntdFrame } from './antd-frame'
import { CopyButton } from './copy-button'
import { attachToasts } from './toast'
import styles from './toast-host.module.css'
import { keepRoom } from './toast-room'

const CONFIG = {
  placement: 'top' as const,
  top: 44,
  duration: 10,
  showProgress: true,
  pauseOnHover: true,
  stack: { threshold: 6 },
}

/** Draws the notices: at the top, 44 px down, for ten seconds, stacked from the seventh on. Titles stay in sight. */
export default function ToastHost() {
  return (
    <AntdFrame>
      <Notices />
    </AntdFrame>
  )
}

function Notices() {
  const [notices, holder] = notification.useNotification(CONFIG)
  const reason = useReason()
  useEffect(
    () =>
      attachToasts(({ tone, title, description, cause, seconds, about }) => {
        const why = reason(cause)
        const requestId = isApiError(cause) ? cause.requestId : undefined
        // Words that say why already are not followed by the same once more.
        const below = why ? !title.includes(why) && why : requestId && <Request id={requestId} />
        return notices[tone]({
          title,
          description: below || description,
          ...(seconds !== undefined && { duration: seconds }),
          ...(about !== undefined && { key: about }),
          className: styles.notice ?? '',
          role: tone === 'error' ? 'alert' : 'status',
        })
      }, notices.destroy),
    [notices, reason],
  )
  useEffect(keepRoom, [])
  return holder
}

/** What support asks for first. */
function Request({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <span className={styles.request}>
      <code>{t('errors.requestId', { id })}</code>
      <CopyButton text={id} label={t('copy')} />
    </span>
  )
}
