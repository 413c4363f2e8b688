import { useTranslation } from 'react-i18next'
import { formatNumber } from '@/shared/lib/format'
import { useForm } from '@/shared/lib/use-form'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { useToast } from '@/shared/ui/toast'
import { useGrant } from '../api'
import { endOf, grantedAmount, isFuture, MAX_GRANT, MAX_REASON } from '../model'
import styles from './person-actions.module.css'
import { useRefusal } from './use-refusal'

/** Credits for a person. The reason stands in their statement, and gives them credits once. */
export function GrantForm({ id, onClose }: { id: string; onClose: () => void }) {
  const { t, i18n } = useTranslation('people')
  const toast = useToast()
  const refused = useRefusal()
  const grant = useGrant(id)
  const form = useForm({
    start: { amount: '', reason: '', until: '' },
    check: ({ amount, reason, until }) => ({
      amount:
        grantedAmount(amount) === null ? t('amountWrong', { most: formatNumber(MAX_GRANT, i18n.language) }) : undefined,
      reason: reason.trim() ? undefined : t('reasonMissing'),
      until: isFuture(until) ? undefined : t('untilWrong'),
    }),
    send: ({ amount, reason, until }) => {
      const count = grantedAmount(amount) ?? 0
      const done = () => {
        toast.success(t('granted', { number: formatNumber(count, i18n.language) }))
        onClose()
      }
      const body = { amount: count, reason: reason.trim(), ...(until && { expiresAt: endOf(until) }) }
      grant.mutate(body, { onSuccess: done, onError: refused })
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextField label={t('amount')} inputMode="numeric" autoComplete="off" {...form.field('amount')} />
      <TextField label={t('reason')} help={t('reasonHelp')} maxLength={MAX_REASON} {...form.field('reason')} />
      <TextField label={t('until')} help={t('untilHelp')} type="date" {...form.field('until')} />
      <FormActions onCancel={onClose} busy={grant.isPending}>
        {t('grant')}
      </FormActions>
    </form>
  )
}
