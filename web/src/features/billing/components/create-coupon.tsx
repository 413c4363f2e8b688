import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Form, useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { Segments } from '@/shared/ui/segments'
import { SelectField } from '@/shared/ui/select'
import { toast } from '@/shared/ui/toast'
import { plansQuery, useCreateCoupon } from '../api'
import {
  bodyOf,
  COUPON_KINDS,
  type CouponDraft,
  EMPTY_COUPON,
  MAX_CODE,
  MAX_COUPON_NAME,
  randomCode,
  shownFields,
  wrongFields,
} from '../model'
import { useRefusedFields } from '../refused-fields'
import styles from './coupons.module.css'

type DraftState = readonly [CouponDraft, (change: (before: CouponDraft) => CouponDraft) => void]
type PartProps = { form: Form<CouponDraft> }

const NUMBER = { inputMode: 'numeric', autoComplete: 'off' } as const

/** Makes a coupon. The draft stays until it is made. */
export function CreateCoupon({ draft, onClose }: { draft: DraftState; onClose: () => void }) {
  const { t } = useTranslation('coupons')
  const text = useProblemText()
  const create = useCreateCoupon()
  const refusedFields = useRefusedFields()
  const form = useForm({
    start: EMPTY_COUPON,
    state: draft,
    check: (values) => Object.fromEntries(wrongFields(values).map((field) => [field, t(`form.wrong.${field}`)])),
    error: create.error,
    refused: (error) =>
      isApiError(error) && error.code === 'COUPON_CODE_TAKEN'
        ? { code: text(error) }
        : refusedFields(error, shownFields(draft[0])),
    send: (values) =>
      create.mutate(bodyOf(values), {
        onSuccess: ({ name }) => {
          toast.success(t('create.done', { name }))
          form.reset()
          onClose()
        },
      }),
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextField
        label={t('form.name')}
        help={t('form.nameHelp')}
        maxLength={MAX_COUPON_NAME}
        autoComplete="off"
        {...form.field('name')}
      />
      <Benefit form={form} />
      <Codes form={form} />
      <div className={styles.pair}>
        <TextField label={t('form.usesPerAccount')} {...NUMBER} {...form.field('usesPerAccount')} />
        {form.values.codes === 'shared' && (
          <TextField label={t('form.maxUses')} help={t('form.maxUsesHelp')} {...NUMBER} {...form.field('maxUses')} />
        )}
      </div>
      <div className={styles.pair}>
        <TextField label={t('form.startsAt')} help={t('form.startsAtHelp')} type="date" {...form.field('startsAt')} />
        <TextField label={t('form.endsAt')} help={t('form.endsAtHelp')} type="date" {...form.field('endsAt')} />
      </div>
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={create.isPending}>
        {t('create.send')}
      </FormActions>
    </form>
  )
}

function Benefit({ form }: PartProps) {
  const { t } = useTranslation('coupons')
  return (
    <>
      <Segments
        label={t('form.kind')}
        options={COUPON_KINDS.map((key) => ({ key, title: t(`form.kinds.${key}`) }))}
        value={form.values.kind}
        onChange={(kind) => form.set({ kind })}
      />
      {form.values.kind === 'PercentOff' ? (
        <TextField label={t('form.percent')} help={t('form.percentHelp')} {...NUMBER} {...form.field('percent')} />
      ) : (
        <Given form={form} />
      )}
    </>
  )
}

/** Credits or a plan, and for how many days. */
function Given({ form }: PartProps) {
  const { t } = useTranslation('coupons')
  const isCredits = form.values.kind === 'Credits'
  return (
    <div className={styles.pair}>
      {isCredits ? (
        <TextField label={t('form.amount')} {...NUMBER} {...form.field('amount')} />
      ) : (
        <PlanField form={form} />
      )}
      <TextField
        label={t(isCredits ? 'form.creditDays' : 'form.planDays')}
        help={t(isCredits ? 'form.creditDaysHelp' : 'form.planDaysHelp')}
        {...NUMBER}
        {...form.field('days')}
      />
    </div>
  )
}

function PlanField({ form }: PartProps) {
  const { t } = useTranslation('coupons')
  const text = useProblemText()
  const plans = useQuery(plansQuery())
  const problem = form.problems.plan ?? (plans.isError ? text(plans.error) : undefined)
  return (
    <SelectField
      label={t('form.plan')}
      error={problem}
      value={form.values.plan}
      onChange={({ target }) => form.set({ plan: target.value })}
    >
      <option value="">{t('form.choosePlan')}</option>
      {plans.data?.map(({ name }) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  )
}

function Codes({ form }: PartProps) {
  const { t } = useTranslation('coupons')
  return (
    <>
      <Segments
        label={t('form.codes')}
        options={(['shared', 'unique'] as const).map((key) => ({ key, title: t(`form.codeKinds.${key}`) }))}
        value={form.values.codes}
        onChange={(codes) => form.set({ codes })}
      />
      {form.values.codes === 'shared' ? (
        <div className={styles.make}>
          <TextField
            label={t('form.code')}
            help={t('form.codeHelp')}
            className={styles.codeField}
            maxLength={MAX_CODE}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...form.field('code')}
          />
          <Button tone="outline" icon="dice" onClick={() => form.set({ code: randomCode() })}>
            {t('form.makeCode')}
          </Button>
        </div>
      ) : (
        <TextField
          label={t('form.codeCount')}
          help={t('form.codeCountHelp')}
          {...NUMBER}
          {...form.field('codeCount')}
        />
      )}
    </>
  )
}
