import { notification } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { AntdFrame } from './antd-frame'
import { CopyButton } from './copy-button'
import { attachToasts, type Notice } from './toast'
import styles from './toast-host.module.css'

const CONFIG = {
  placement: 'top' as const,
  top: 44,
  duration: 10,
  showProgress: true,
  pauseOnHover: true,
  stack: { threshold: 6 },
}

/** Draws the notices: at the top, 44 px down, for ten seconds, stacked from the seventh on. */
export default function ToastHost() {
  return (
    <AntdFrame>
      <Notices />
    </AntdFrame>
  )
}

function Notices() {
  const [notices, holder] = notification.useNotification(CONFIG)
  useEffect(
    () =>
      attachToasts(({ tone, title, description, requestId, seconds }) =>
        notices[tone]({
          title,
          description: requestId ? <Request id={requestId} /> : description,
          ...(seconds !== undefined && { duration: seconds }),
          role: tone === 'error' ? 'alert' : 'status',
        }),
      ),
    [notices],
  )
  return holder
}

/** What support asks for first. */
function Request({ id }: { id: NonNullable<Notice['requestId']> }) {
  const { t } = useTranslation()
  return (
    <span className={styles.request}>
      <code>{t('errors.requestId', { id })}</code>
      <CopyButton text={id} label={t('copy')} />
    </span>
  )
}
