import { useTranslation } from 'react-i18next'
import type { User } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useToast } from '@/shared/ui/toast'
import { useResendVerification } from '../api'
import styles from './verify-notice.module.css'

/** Reminds somebody to confirm their address, and sends the mail again; nothing for whoever has. */
export function VerifyNotice({ user }: { user: User }) {
  const { t } = useTranslation('auth')
  const toast = useToast()
  const text = useProblemText()
  const resend = useResendVerification()
  if (user.emailVerified) return null
  const send = () =>
    resend.mutate(undefined, {
      onSuccess: () => toast.success(t('verify.sent', { email: user.email })),
      onError: (error) => toast.error(text(error), error),
    })
  return (
    <aside className={styles.notice} aria-label={t('verify.title')}>
      <p>{t('verify.notice', { email: user.email })}</p>
      <Button tone="outline" size="small" busy={resend.isPending} onClick={send}>
        {t('verify.resend')}
      </Button>
    </aside>
  )
}
