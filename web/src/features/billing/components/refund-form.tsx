import { useTranslation } from 'react-i18next'
import type { SoldOrder } from '@/shared/api/types'
import { formatNumber } from '@/shared/lib/format'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { formatMoney } from '../orders-model'
import { useRefusedFields } from '../refused-fields'
import { useRefundOrder } from '../sold-api'
import {
  firstRefund,
  leftOf,
  MAX_REFUND_REASON,
  REFUND_FIELDS,
  type RefundField,
  readRefund,
  restOf,
  withAmount,
} from '../sold-model'
import { isOfRunningPeriod } from '../subscription-model'
import styles from './sold.module.css'

/** Pays back a part of an order and takes credits back. It proposes the rest. */
export function RefundForm({ order, onClose }: { order: SoldOrder; onClose: () => void }) {
  const { t, i18n } = useTranslation('orders')
  const { t: subscription } = useTranslation('subscription')
  const text = useProblemText()
  const refund = useRefundOrder(order._id)
  const refusedFields = useRefusedFields({ amount: order.currency })
  const money = (amount: number) => formatMoney(amount, order.currency, i18n.language)
  const most = { amount: money(restOf(order)), credits: formatNumber(leftOf(order), i18n.language) }
  const wrong: Record<RefundField, string> = {
    amount: t('sold.refund.wrongAmount', { most: most.amount }),
    credits: t('sold.refund.wrongCredits', { most: most.credits }),
    reason: t('sold.refund.wrongReason'),
  }
  const form = useForm({
    start: firstRefund(order),
    check: (draft) => Object.fromEntries(readRefund(draft, order).wrong.map((field) => [field, wrong[field]])),
    error: refund.error,
    refused: (error) => refusedFields(error, REFUND_FIELDS),
    send: (draft) => {
      const { body } = readRefund(draft, order)
      refund.mutate(body, {
        onSuccess: () => {
          toast.success(t('sold.refund.done', { amount: money(body.amount) }))
          onClose()
        },
      })
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <h2>{t('sold.refund.title')}</h2>
      {isOfRunningPeriod(order) && <p>{subscription('order.refundEnds', { plan: order.plan })}</p>}
      {order.bonusCredits > 0 && <p>{t('sold.refund.bonus')}</p>}
      <div className={styles.pair}>
        <TextField
          label={t('sold.refund.amount', { currency: order.currency })}
          help={t('sold.refund.most', { most: most.amount })}
          inputMode="decimal"
          autoComplete="off"
          {...form.field('amount')}
          onChange={({ target }) => form.set(withAmount(form.values, target.value, order))}
        />
        <TextField
          label={t('sold.refund.credits')}
          help={t('sold.refund.most', { most: most.credits })}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('credits')}
          onChange={({ target }) => form.set({ credits: target.value, hasOwnCredits: true })}
        />
      </div>
      <TextField
        label={t('sold.refund.reason')}
        maxLength={MAX_REFUND_REASON}
        autoComplete="off"
        {...form.field('reason')}
      />
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={refund.isPending} tone="danger">
        {t('sold.refund.send')}
      </FormActions>
    </form>
  )
}
