import { useTranslation } from 'react-i18next'
import type { Coupon } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useChangeCoupon } from '../api'
import { changesOf, MAX_COUPON_NAME, patchOf, wrongChanges } from '../model'
import { useRefusedFields } from '../refused-fields'
import styles from './coupons.module.css'

/** Changes the name, the most uses and the end. What a coupon gives stays: it may have been redeemed. */
export function EditCoupon({ coupon, onClose }: { coupon: Coupon; onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const change = useChangeCoupon(coupon._id)
  const refusedFields = useRefusedFields()
  const form = useForm({
    start: changesOf(coupon),
    check: (values) =>
      Object.fromEntries(wrongChanges(values, coupon).map((field) => [field, t(`form.wrong.${field}`)])),
    error: change.error,
    refused: (error) => refusedFields(error, coupon.code ? ['name', 'maxUses', 'endsAt'] : ['name', 'endsAt']),
    send: (values) =>
      change.mutate(patchOf(values, coupon), {
        onSuccess: ({ name }) => {
          toast.success(t('edit.done', { name }))
          onClose()
        },
      }),
  })
  const isSame = Object.keys(patchOf(form.values, coupon)).length === 0
  return (
    <form {...form.form} className={styles.form}>
      <TextField label={t('form.name')} maxLength={MAX_COUPON_NAME} {...form.field('name')} />
      {coupon.code && (
        <TextField
          label={t('form.maxUses')}
          help={t('form.maxUsesHelp')}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('maxUses')}
        />
      )}
      <TextField label={t('form.endsAt')} help={t('form.endsAtHelp')} type="date" {...form.field('endsAt')} />
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={change.isPending} disabled={isSame}>
        {common('save')}
      </FormActions>
    </form>
  )
}
