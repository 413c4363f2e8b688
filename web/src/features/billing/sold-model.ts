import type { Order, OrderRefund, PaymentProvider, PaymentType, SoldOrder } from '@/shared/api/types'
import { calendarDay } from '@/shared/lib/calendar-day'
import { freeText, oneOf, type ParamsOf, parsedBy, urlParams } from '@/shared/lib/url-params'
import { MAX_SEARCH, whole } from './model'
import { moneyText, typedMoney } from './orders-model'

export const ORDER_STATUSES = ['Ready', 'Paid', 'Canceled', 'Failed', 'Refunded'] as const satisfies Order['status'][]
export const PRODUCT_KINDS = ['Subscription', 'Credit'] as const satisfies Order['kind'][]
export const PROVIDERS = ['Test', 'PayPal', 'TossPayments'] as const satisfies PaymentProvider[]
export const PAYMENT_TYPES = ['Payment', 'Coupon', 'Free'] as const satisfies PaymentType[]
/** Of orders: what was given has a provider too. */
export const ORDER_PROVIDERS = [...PROVIDERS, 'Coupon', 'Free'] as const satisfies Order['provider'][]

/** Filters of the orders of all users; empty values filter nothing. Days are in UTC and inclusive. */
export const SOLD = urlParams({
  search: freeText(MAX_SEARCH),
  type: oneOf<PaymentType | ''>(PAYMENT_TYPES, ''),
  kind: oneOf<Order['kind'] | ''>(PRODUCT_KINDS, ''),
  status: oneOf<Order['status'] | ''>(ORDER_STATUSES, ''),
  provider: oneOf<Order['provider'] | ''>(ORDER_PROVIDERS, ''),
  from: parsedBy(calendarDay),
  until: parsedBy(calendarDay),
})
export type SoldFilters = ParamsOf<typeof SOLD>
export const NO_FILTERS: SoldFilters = {
  search: '',
  type: '',
  kind: '',
  status: '',
  provider: '',
  from: '',
  until: '',
}

export const hasFilters = (filters: SoldFilters): boolean => Object.values(filters).some((value) => value !== '')

export const isReversed = ({ from, until }: Pick<SoldFilters, 'from' | 'until'>): boolean =>
  from !== '' && until !== '' && until < from

/** The filters as the API takes them. */
export const toSoldQuery = ({ search, type, kind, status, provider, from, until }: SoldFilters) => ({
  ...(search && { search }),
  ...(type && { type }),
  ...(kind && { kind }),
  ...(status && { status }),
  ...(provider && { provider }),
  ...(from && { from }),
  ...(until && { until }),
})

export const MAX_REFUND_REASON = 200

/** `hasOwnCredits`: the admin has typed the credits, so that they no longer follow the amount. */
export type RefundDraft = { amount: string; credits: string; reason: string; hasOwnCredits: boolean }
export type RefundField = Exclude<keyof RefundDraft, 'hasOwnCredits'>
export const REFUND_FIELDS = ['amount', 'credits', 'reason'] as const satisfies RefundField[]

/** What can still be paid back. */
export const restOf = ({ amount, refundedAmount }: Order): number => Math.max(0, amount - refundedAmount)

/** The credits of an order that can be taken back. */
export const leftOf = ({ creditsLeft }: SoldOrder): number => creditsLeft ?? 0

/** The credits in proportion to an amount of an order, if that many are left. */
export function creditsFor(order: SoldOrder, amount: number): number {
  const share = order.amount > 0 ? Math.round((order.credits * amount) / order.amount) : 0
  return Math.min(share, leftOf(order))
}

/** Proposes to pay back the rest. */
export const firstRefund = (order: SoldOrder): RefundDraft => ({
  amount: moneyText(restOf(order), order.currency),
  credits: String(creditsFor(order, restOf(order))),
  reason: '',
  hasOwnCredits: false,
})

/** Another amount proposes other credits. */
export function withAmount(draft: RefundDraft, text: string, order: SoldOrder): RefundDraft {
  const amount = typedMoney(text, order.currency)
  if (draft.hasOwnCredits || amount === null) return { ...draft, amount: text }
  return { ...draft, amount: text, credits: String(creditsFor(order, Math.min(amount, restOf(order)))) }
}

/** A valid draft as the API takes it, or the fields that are wrong. */
export function readRefund(draft: RefundDraft, order: SoldOrder) {
  const amount = typedMoney(draft.amount, order.currency)
  const credits = whole(draft.credits, leftOf(order), 0)
  const reason = draft.reason.trim()
  const isWrong: Record<RefundField, boolean> = {
    amount: amount === null || amount < 1 || amount > restOf(order),
    credits: credits === null,
    reason: reason === '',
  }
  const wrong = REFUND_FIELDS.filter((field) => isWrong[field])
  return { wrong, body: { amount: amount ?? 0, credits: credits ?? 0, reason } }
}

export const REFUND_TONES = { Asked: 'warn', Done: 'good', Refused: 'bad' } as const satisfies Record<
  OrderRefund['status'],
  string
>
