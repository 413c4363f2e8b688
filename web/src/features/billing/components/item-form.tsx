import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AdminItem, ItemBody } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Form, useForm } from '@/shared/lib/use-form'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { Segments } from '@/shared/ui/segments'
import { SelectField } from '@/shared/ui/select'
import { toast } from '@/shared/ui/toast'
import { plansQuery } from '../api'
import {
  EMPTY_ITEM,
  ITEM_FIELDS,
  ITEM_KINDS,
  type ItemDraft,
  itemBody,
  itemDraft,
  itemPatch,
  itemProblems,
  MAX_ITEM_NAME,
} from '../items-model'
import { useRefusedFields } from '../refused-fields'
import { useChangeItem, useCreateItem } from '../sold-api'
import styles from './coupons.module.css'

type DraftState = readonly [ItemDraft, (change: (before: ItemDraft) => ItemDraft) => void]

/** Makes an item. The draft stays until it is made. */
export function CreateItem({ draft, onClose }: { draft: DraftState; onClose: () => void }) {
  const { t } = useTranslation('orders')
  const create = useCreateItem()
  const form = useItemForm({
    start: EMPTY_ITEM,
    state: draft,
    error: create.error,
    send: (body) =>
      create.mutate(body, {
        onSuccess: ({ name }) => {
          toast.success(t('items.create.done', { name }))
          form.reset()
          onClose()
        },
      }),
  })
  return <ItemFields form={form} action={t('items.create.send')} busy={create.isPending} isNew onClose={onClose} />
}

/** Changes an item. Orders keep what they bought. */
export function EditItem({ item, onClose }: { item: AdminItem; onClose: () => void }) {
  const { t } = useTranslation('orders')
  const { t: common } = useTranslation()
  const change = useChangeItem(item._id)
  const form = useItemForm({
    start: itemDraft(item),
    error: change.error,
    send: (_, draft) =>
      change.mutate(itemPatch(draft, item), {
        onSuccess: ({ name }) => {
          toast.success(t('items.edit.done', { name }))
          onClose()
        },
      }),
  })
  const isSame = Object.keys(itemPatch(form.values, item)).length === 0
  return <ItemFields form={form} action={common('save')} busy={change.isPending} disabled={isSame} onClose={onClose} />
}

type ItemFormOptions = {
  start: ItemDraft
  state?: DraftState
  error: unknown
  send: (body: ItemBody, draft: ItemDraft) => void
}

function useItemForm({ send, ...options }: ItemFormOptions): Form<ItemDraft> {
  const { t } = useTranslation('orders')
  const refusedFields = useRefusedFields({ KRW: 'KRW', USD: 'USD' })
  return useForm({
    ...options,
    check: (draft) =>
      Object.fromEntries(Object.entries(itemProblems(draft)).map(([field, key]) => [field, t(`items.wrong.${key}`)])),
    refused: (error) => refusedFields(error, ITEM_FIELDS),
    send: (draft) => send(itemBody(draft), draft),
  })
}

type ItemFieldsProps = {
  form: Form<ItemDraft>
  action: string
  busy: boolean
  disabled?: boolean
  isNew?: boolean
  onClose: () => void
}

function ItemFields({ form, action, busy, disabled = false, isNew = false, onClose }: ItemFieldsProps) {
  const { t } = useTranslation('orders')
  const text = useProblemText()
  return (
    <form {...form.form} className={styles.form}>
      {isNew && <KindFields form={form} />}
      <TextField
        label={t('items.name')}
        help={t('items.nameHelp')}
        maxLength={MAX_ITEM_NAME}
        autoComplete="off"
        {...form.field('name')}
      />
      {form.values.kind === 'Credit' && (
        <TextField label={t('items.credits')} inputMode="numeric" autoComplete="off" {...form.field('credits')} />
      )}
      <div className={styles.pair}>
        <TextField
          label={t('items.KRW')}
          help={t('items.priceHelp')}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('KRW')}
        />
        <TextField
          label={t('items.USD')}
          help={t('items.priceHelp')}
          inputMode="decimal"
          autoComplete="off"
          {...form.field('USD')}
        />
      </div>
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions onCancel={onClose} busy={busy} disabled={disabled}>
        {action}
      </FormActions>
    </form>
  )
}

/** What is sold: a pack of credits, or a plan. It stays for the life of the item. */
function KindFields({ form }: { form: Form<ItemDraft> }) {
  const { t } = useTranslation('orders')
  const text = useProblemText()
  const plans = useQuery(plansQuery())
  const { kind, plan } = form.values
  const problem = form.problems.plan ?? (plans.isError ? text(plans.error) : undefined)
  return (
    <>
      <Segments
        label={t('items.kind')}
        options={ITEM_KINDS.map((key) => ({ key, title: t(`items.kinds.${key}`) }))}
        value={kind}
        onChange={(kind) => form.set({ kind })}
      />
      {kind === 'Subscription' && (
        <SelectField
          label={t('items.plan')}
          help={t('items.planHelp')}
          value={plan}
          error={problem}
          onChange={({ target }) => form.set({ plan: target.value })}
        >
          <option value="">{t('items.choosePlan')}</option>
          {/* Everyone has the smallest one. */}
          {plans.data?.slice(1).map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
    </>
  )
}
