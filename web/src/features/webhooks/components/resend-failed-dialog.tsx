import { useTranslation } from 'react-i18next'
import { useForm } from '@/shared/lib/use-form'
import { Dialog } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useResendFailed } from '../api'
import { localTime, sinceProblem } from '../model'
import type { WebhookConfig } from '../types'
import { useRefusalToast } from '../use-words'
import styles from './config-dialog.module.css'

const DAY_MS = 86_400_000

type ResendFailedProps = { config: WebhookConfig; open: boolean; onClose: () => void }

/** Resends all failed deliveries since a time, e.g. after a fault of the receiver. */
export function ResendFailedDialog({ config, open, onClose }: ResendFailedProps) {
  const { t } = useTranslation('webhooks')
  return (
    <Dialog open={open} onClose={onClose} title={t('resendFailed.title')}>
      <SinceForm config={config} onClose={onClose} />
    </Dialog>
  )
}

function SinceForm({ config, onClose }: Pick<ResendFailedProps, 'config' | 'onClose'>) {
  const { t } = useTranslation('webhooks')
  const showRefusal = useRefusalToast()
  const resend = useResendFailed(config._id)
  const { failingSince } = config
  const form = useForm({
    start: { since: localTime(failingSince === null ? new Date(Date.now() - DAY_MS) : new Date(failingSince)) },
    check: ({ since }) => {
      const problem = sinceProblem(since, Date.now())
      return { since: problem && t(`resendFailed.problems.${problem}`) }
    },
    send: ({ since }) =>
      resend.mutate(new Date(since).toISOString(), {
        onSuccess: ({ count }) => {
          if (count > 0) toast.success(t('resendFailed.done', { count }))
          else toast.info(t('resendFailed.nothing'))
          onClose()
        },
        onError: (error) => showRefusal(error, t('told.resendFailed')),
      }),
  })
  return (
    <form {...form.form} className={styles.form}>
      <p>{t('resendFailed.text', { name: config.name })}</p>
      <TextField type="datetime-local" label={t('resendFailed.since')} {...form.field('since')} />
      <FormActions onCancel={onClose} busy={resend.isPending}>
        {t('resendFailed.action')}
      </FormActions>
    </form>
  )
}
