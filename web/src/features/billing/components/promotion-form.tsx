import { useTranslation } from 'react-i18next'
import type { Promotion } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Form, useForm } from '@/shared/lib/use-form'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { Segments } from '@/shared/ui/segments'
import { toast } from '@/shared/ui/toast'
import { useChangePromotion, useCreatePromotion } from '../promotions-api'
import {
  AUDIENCES,
  EMPTY_PROMOTION,
  MAX_BANNER_LABEL,
  MAX_BANNER_LINK,
  MAX_BANNER_TEXT,
  MAX_PROMOTION_NAME,
  PROMOTION_KINDS,
  type PromotionDraft,
  promotionBody,
  promotionDraft,
  promotionFields,
  promotionPatch,
  wrongPromotion,
} from '../promotions-model'
import { useRefusedFields } from '../refused-fields'
import styles from './coupons.module.css'

type DraftState = readonly [PromotionDraft, (change: (before: PromotionDraft) => PromotionDraft) => void]
type PartProps = { form: Form<PromotionDraft> }

/** Makes a promotion. The draft stays until it is made. */
export function CreatePromotion({ draft, onClose }: { draft: DraftState; onClose: () => void }) {
  const { t } = useTranslation('promotions')
  const create = useCreatePromotion()
  const refusedFields = useRefusedFields()
  const form = useForm({
    start: EMPTY_PROMOTION,
    state: draft,
    check: (values) =>
      Object.fromEntries(wrongPromotion(values, true).map((field) => [field, t(`form.wrong.${field}`)])),
    error: create.error,
    refused: (error) => refusedFields(error, promotionFields(draft[0].kind)),
    send: (values) =>
      create.mutate(promotionBody(values), {
        onSuccess: ({ name }) => {
          toast.success(t('create.done', { name }))
          form.reset()
          onClose()
        },
      }),
  })
  return <PromotionFields form={form} action={t('create.send')} busy={create.isPending} isNew onClose={onClose} />
}

/** Changes a promotion. Its kind stays. */
export function EditPromotion({ promotion, onClose }: { promotion: Promotion; onClose: () => void }) {
  const { t } = useTranslation('promotions')
  const { t: common } = useTranslation()
  const change = useChangePromotion(promotion._id)
  const refusedFields = useRefusedFields()
  const form = useForm({
    start: promotionDraft(promotion),
    check: (values) =>
      Object.fromEntries(wrongPromotion(values, false).map((field) => [field, t(`form.wrong.${field}`)])),
    error: change.error,
    refused: (error) => refusedFields(error, promotionFields(promotion.kind)),
    send: (values) =>
      change.mutate(promotionPatch(values, promotion), {
        onSuccess: ({ name }) => {
          toast.success(t('edit.done', { name }))
          onClose()
        },
      }),
  })
  const isSame = Object.keys(promotionPatch(form.values, promotion)).length === 0
  return (
    <PromotionFields form={form} action={common('save')} busy={change.isPending} disabled={isSame} onClose={onClose} />
  )
}

type PromotionFieldsProps = PartProps & {
  action: string
  busy: boolean
  disabled?: boolean
  isNew?: boolean
  onClose: () => void
}

function PromotionFields({ form, action, busy, disabled = false, isNew = false, onClose }: PromotionFieldsProps) {
  const { t } = useTranslation('promotions')
  const text = useProblemText()
  return (
    <form {...form.form} className={styles.form}>
      {isNew && (
        <Segments
          label={t('form.kind')}
          options={PROMOTION_KINDS.map((key) => ({ key, title: t(`form.kinds.${key}`) }))}
          value={form.values.kind}
          onChange={(kind) => form.set({ kind })}
        />
      )}
      <TextField
        label={t('form.name')}
        help={t('form.nameHelp')}
        maxLength={MAX_PROMOTION_NAME}
        autoComplete="off"
        {...form.field('name')}
      />
      {form.values.kind === 'Banner' ? (
        <BannerFields form={form} />
      ) : (
        <TextField
          label={t('form.percent')}
          help={t('form.percentHelp')}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('percent')}
        />
      )}
      <div className={styles.pair}>
        <TextField label={t('form.startsAt')} help={t('form.startsAtHelp')} type="date" {...form.field('startsAt')} />
        <TextField label={t('form.endsAt')} help={t('form.endsAtHelp')} type="date" {...form.field('endsAt')} />
      </div>
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={busy} disabled={disabled}>
        {action}
      </FormActions>
    </form>
  )
}

function BannerFields({ form }: PartProps) {
  const { t } = useTranslation('promotions')
  const text = { maxLength: MAX_BANNER_TEXT, autoComplete: 'off' }
  const label = { maxLength: MAX_BANNER_LABEL, autoComplete: 'off' }
  return (
    <>
      <Segments
        label={t('form.audience')}
        options={AUDIENCES.map((key) => ({ key, title: t(`form.audiences.${key}`) }))}
        value={form.values.audience}
        onChange={(audience) => form.set({ audience })}
      />
      <TextField label={t('form.textEn')} lang="en" {...text} {...form.field('textEn')} />
      <TextField label={t('form.textKo')} lang="ko" {...text} {...form.field('textKo')} />
      <div className={styles.pair}>
        <TextField label={t('form.labelEn')} lang="en" {...label} {...form.field('labelEn')} />
        <TextField label={t('form.labelKo')} lang="ko" {...label} {...form.field('labelKo')} />
      </div>
      <TextField
        label={t('form.link')}
        help={t('form.linkHelp')}
        maxLength={MAX_BANNER_LINK}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field('link')}
      />
    </>
  )
}
