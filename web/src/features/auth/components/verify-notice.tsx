import { useTranslation } from 'react-i18next'
import type { User } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useResendVerification } from '../api'
import styles from './verify-notice.module.css'

export function VerifyNotice({ user }: { user: User }) {
  const { t } = useTranslation('auth')
  const toasts = useResultToasts()
  const resend = useResendVerification()
  if (user.emailVerified) return null
  const send = () => resend.mutate(undefined, toasts(t('verify.sent', { email: user.email })))
  return (
    <aside className={styles.notice} aria-label={t('verify.title')}>
      <p>{t('verify.notice', { email: user.email })}</p>
      <Button tone="outline" size="small" busy={resend.isPending} onClick={send}>
        {t('verify.resend')}
      </Button>
    </aside>
  )
}
