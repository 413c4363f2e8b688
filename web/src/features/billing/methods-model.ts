import type { CardBody, Currency, PaymentMethod } from '@/shared/api/types'
import { freeText, oneOf, urlParams } from '@/shared/lib/url-params'
import { isEmpty } from './model'

const MAX_KEY = 300

/** The address of the tab with the payment methods when a person comes back from the window of a provider. */
export const METHOD_RETURN = urlParams({
  method: freeText(),
  failed: oneOf<'1' | ''>(['1'], ''),
  code: freeText(),
  message: freeText(MAX_KEY),
  authKey: freeText(MAX_KEY),
  customerKey: freeText(MAX_KEY),
})
/** Forgets what the provider has added to the address. */
export const NO_RETURN = { method: '', failed: '', code: '', message: '', authKey: '', customerKey: '' } as const

/** The card that is charged in a currency: the default one if it can be, else the newest. The server's rule. */
export const cardFor = (methods: readonly PaymentMethod[], currency: Currency): PaymentMethod | null =>
  methods.find((method) => method.currency === currency) ?? null

export type CardDraft = {
  number: string
  expiration: string
  passwordDigits: string
  identityNumber: string
  name: string
  email: string
  isAgreed: boolean
}
export const EMPTY_CARD: CardDraft = {
  number: '',
  expiration: '',
  passwordDigits: '',
  identityNumber: '',
  name: '',
  email: '',
  isAgreed: false,
}
/** Fields with a text of their own, under `subscription.card.wrong`. */
export type CardField = Exclude<keyof CardDraft, 'isAgreed'>

export const MAX_CARD_NAME = 100
export const MAX_EMAIL = 100
const MAX_NUMBER = 19

export const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** A card number as it is typed: `1234 5678 …`. */
export const groupedNumber = (text: string): string =>
  digitsOf(text)
    .slice(0, MAX_NUMBER)
    .replace(/(\d{4})(?=\d)/g, '$1 ')

/** A month as it is typed: `12/29`. */
export function typedMonth(text: string): string {
  const digits = digitsOf(text).slice(0, 4)
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits
}

/** The place of the caret in a changed text, after as many digits as before. */
export function caretAfter(text: string, digits: number): number {
  let seen = 0
  for (let at = 0; at < text.length; at += 1) {
    if (seen === digits) return at
    if (/\d/.test(text.charAt(at))) seen += 1
  }
  return text.length
}

/** A typed expiration: null if it is none, or over. */
function expirationOf(text: string, now: Date): { month: number; year: number } | null {
  const parts = /^(\d{2})\/(\d{2})$/.exec(text)
  if (!parts) return null
  const [month, year] = [Number(parts[1]), 2000 + Number(parts[2])]
  const isOver = year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1)
  return month >= 1 && month <= 12 && !isOver ? { month, year } : null
}

/** The wrong fields of a card. */
export function wrongCardFields(draft: CardDraft, now = new Date()): CardField[] {
  const isWrong: Record<CardField, boolean> = {
    number: !/^\d{13,19}$/.test(digitsOf(draft.number)),
    expiration: expirationOf(draft.expiration, now) === null,
    passwordDigits: !/^\d{2}$/.test(draft.passwordDigits),
    identityNumber: !/^(\d{6}|\d{10})$/.test(draft.identityNumber),
    name: isEmpty(draft.name),
    email: !isEmpty(draft.email) && !/^\S+@\S+\.\S+$/.test(draft.email.trim()),
  }
  return (Object.keys(isWrong) as CardField[]).filter((field) => isWrong[field])
}

/** A valid draft as the API takes it. */
export function cardBody(draft: CardDraft, now = new Date()): CardBody {
  const { month, year } = expirationOf(draft.expiration, now) ?? { month: 0, year: 0 }
  return {
    number: digitsOf(draft.number),
    passwordDigits: draft.passwordDigits,
    identityNumber: draft.identityNumber,
    expirationMonth: month,
    expirationYear: year,
    name: draft.name.trim(),
    email: isEmpty(draft.email) ? null : draft.email.trim(),
    isAgreed: draft.isAgreed,
  }
}

/** The fields of the form that the fields of the API belong to. */
export const FIELD_OF: Record<string, keyof CardDraft> = {
  number: 'number',
  expirationMonth: 'expiration',
  expirationYear: 'expiration',
  passwordDigits: 'passwordDigits',
  identityNumber: 'identityNumber',
  name: 'name',
  email: 'email',
  isAgreed: 'isAgreed',
}

/** The fields that a refusal of the card's provider is about. */
export const REFUSED_FIELD: Record<string, CardField> = {
  INVALID_CARD_NUMBER: 'number',
  INVALID_CARD_EXPIRATION: 'expiration',
  INVALID_CARD_PASSWORD: 'passwordDigits',
  INVALID_CARD_IDENTITY: 'identityNumber',
  INVALID_BIRTH_DAY_FORMAT: 'identityNumber',
}
