import type { ChangeEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { PaymentMethod, PaymentMethodWindow } from '@/shared/api/types'
import { isRecord } from '@/shared/lib/is-record'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Problems, useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { useSaveCard } from '../methods-api'
import {
  type CardDraft,
  cardBody,
  caretAfter,
  digitsOf,
  EMPTY_CARD,
  FIELD_OF,
  groupedNumber,
  MAX_CARD_NAME,
  MAX_EMAIL,
  REFUSED_FIELD,
  typedMonth,
  wrongCardFields,
} from '../methods-model'
import styles from './shop.module.css'
import { TermsCheck } from './terms-check'

type CardFormProps = {
  opened: PaymentMethodWindow
  /** Leaves for the window of the provider instead. */
  onWindow: () => void
  windowError: unknown
  onClose: () => void
  onSaved: (method: PaymentMethod) => void
}

/** Saves a typed card. Nothing of it is stored in the browser, and it is forgotten once it is saved. */
export function CardForm({ opened, onWindow, windowError, onClose, onSaved }: CardFormProps) {
  const { t } = useTranslation('subscription')
  const { t: reason } = useTranslation('reasons')
  const text = useProblemText()
  const { save, error, isPending } = useSaveCard(opened._id)
  const mustAgree = reason('codes.TERMS_NOT_AGREED')
  const wrong = (field: keyof CardDraft) => (field === 'isAgreed' ? mustAgree : t(`card.wrong.${field}`))
  const form = useForm({
    start: EMPTY_CARD,
    check: (draft): Problems => ({
      ...Object.fromEntries(wrongCardFields(draft).map((field) => [field, wrong(field)])),
      isAgreed: draft.isAgreed ? undefined : mustAgree,
    }),
    error,
    refused: (refusal) => refusedCard(refusal, text, wrong),
    send: (draft) =>
      save(cardBody(draft), (method) => {
        form.reset()
        onSaved(method)
      }),
  })
  /** Keeps the caret where it was while spaces and slashes come and go. */
  const typed = (name: 'number' | 'expiration', shape: (text: string) => string) => ({
    ...form.field(name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      const next = shape(target.value)
      const caret = target.selectionStart ?? target.value.length
      const place =
        caret === target.value.length ? next.length : caretAfter(next, digitsOf(target.value.slice(0, caret)).length)
      target.value = next
      target.setSelectionRange(place, place)
      form.set({ [name]: next })
    },
  })
  const digits = (name: 'passwordDigits' | 'identityNumber', most: number) => ({
    ...form.field(name),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      form.set({ [name]: digitsOf(target.value).slice(0, most) } as Partial<CardDraft>),
  })
  return (
    <form {...form.form} className={styles.form} autoComplete="on">
      <TextField
        label={t('card.number')}
        inputMode="numeric"
        autoComplete="cc-number"
        {...typed('number', groupedNumber)}
      />
      <div className={styles.pair}>
        <TextField
          label={t('card.expiration')}
          placeholder={t('card.expirationShape')}
          inputMode="numeric"
          autoComplete="cc-exp"
          {...typed('expiration', typedMonth)}
        />
        <TextField
          label={t('card.passwordDigits')}
          type="password"
          inputMode="numeric"
          autoComplete="off"
          {...digits('passwordDigits', 2)}
        />
      </div>
      <TextField
        label={t('card.identityNumber')}
        help={t('card.identityHelp')}
        inputMode="numeric"
        autoComplete="off"
        {...digits('identityNumber', 10)}
      />
      <TextField label={t('card.holder')} maxLength={MAX_CARD_NAME} autoComplete="cc-name" {...form.field('name')} />
      <TextField
        label={t('card.email')}
        help={t('card.emailHelp')}
        type="email"
        inputMode="email"
        maxLength={MAX_EMAIL}
        autoComplete="email"
        {...form.field('email')}
      />
      <TermsCheck
        isAgreed={form.values.isAgreed}
        problem={form.problems.isAgreed}
        onChange={(isAgreed) => form.set({ isAgreed })}
      />
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      {windowError !== null && <FieldError>{text(windowError)}</FieldError>}
      {(opened.page || opened.toss) && (
        <Button size="small" tone="outline" icon="open" className={styles.window} onClick={onWindow}>
          {t('card.window')}
        </Button>
      )}
      <FormActions onCancel={onClose} busy={isPending}>
        {t('card.save')}
      </FormActions>
    </form>
  )
}

/** The fields that a refusal is about, of the server or of the card's provider. */
function refusedCard(
  error: unknown,
  text: (error: unknown) => string,
  wrong: (field: keyof CardDraft) => string,
): Problems {
  if (!isApiError(error)) return {}
  if (error.code === 'TERMS_NOT_AGREED') return { isAgreed: wrong('isAgreed') }
  const reason = isRecord(error.details) ? error.details.reason : undefined
  const field = error.code === 'CARD_REFUSED' && typeof reason === 'string' ? REFUSED_FIELD[reason] : undefined
  if (field) return { [field]: text(error) }
  return Object.fromEntries(
    error.fields.flatMap(({ field }) => {
      const known = FIELD_OF[field]
      return known ? [[known, wrong(known)] as const] : []
    }),
  )
}
