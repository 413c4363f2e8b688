import type { BillingCountry, Currency, Item, Order, Shop, TestPaymentAnswer } from '@/shared/api/types'
import { freeText, oneOf, urlParams } from '@/shared/lib/url-params'
import { typedNumber } from './model'

/** Digits after the point in the unit in which a currency is written. */
const DIGITS: Record<Currency, number> = { KRW: 0, USD: 2 }
/** What was given without a payment has no currency, and costs 0. */
type OrderCurrency = Order['currency']
const digitsOf = (currency: OrderCurrency) => (currency ? DIGITS[currency] : 0)
const unitOf = (currency: OrderCurrency) => 10 ** digitsOf(currency)

/** An amount of the smallest unit as a price: `₩9,900`, `$6.99`. */
export const formatMoney = (amount: number, currency: OrderCurrency, language: string): string =>
  new Intl.NumberFormat(
    language,
    currency ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : undefined,
  ).format(amount / unitOf(currency))

/** An amount of the smallest unit as a field shows it: `9900`, `6.99`. */
export const moneyText = (amount: number, currency: OrderCurrency): string =>
  (amount / unitOf(currency)).toFixed(digitsOf(currency))

/** A typed amount in the smallest unit; null if it is none, or has parts of that unit. */
export function typedMoney(text: string, currency: OrderCurrency): number | null {
  const value = typedNumber(text, 'decimal')
  if (value === null || value < 0) return null
  const units = Math.round(value * unitOf(currency))
  return Math.abs(units - value * unitOf(currency)) < 1e-6 ? units : null
}

/** The country decides the currency. */
export const CURRENCY_OF: Record<BillingCountry, Currency> = { KR: 'KRW', Other: 'USD' }

/** Why an item cannot be bought from a country: it has no price there, or the currency is not set up; null if it can. */
export function cannotBuy({ prices }: Item, { buying }: Shop, country: BillingCountry): 'price' | 'currency' | null {
  const currency = CURRENCY_OF[country]
  if (!prices[currency]) return 'price'
  return buying.currencies.includes(currency) ? null : 'currency'
}

/** The address of the orders tab when the buyer comes back from the provider. */
export const RETURN = urlParams({ order: freeText(), canceled: oneOf<'1' | ''>(['1'], '') })

/** Whether it was given without a payment: by a coupon, or by an admin. */
export const isGiven = ({ type }: Pick<Order, 'type'>): boolean => type !== 'Payment'

/** Whether there is a receipt of it. */
export const hasReceipt = (order: Order): boolean => order.paidAt != null && !isGiven(order)

/** Whether nothing more happens to the payment of an order by itself. */
export const isSettled = ({ status }: Order): boolean => status !== 'Ready'

/** Whether the buyer can still pay or cancel. */
export const isOpen = ({ status, isSettling }: Order): boolean => status === 'Ready' && !isSettling

/** How long the page asks for the result of a payment. */
export const ASKING_MS = 120_000

/** The pause before the page asks again: two seconds at first, ten at the end. */
export const pauseAfter = (elapsedMs: number): number => Math.min(2000 + elapsedMs / 15, 10_000)

/** Keys of `orders.failure`. */
export function failureOf({
  failure,
}: Pick<Order, 'failure'>): 'DECLINED' | 'PROVIDER_UNAVAILABLE' | 'NOT_APPROVED' | 'OTHER' | null {
  if (!failure) return null
  return (['DECLINED', 'PROVIDER_UNAVAILABLE', 'NOT_APPROVED'] as const).find((code) => code === failure) ?? 'OTHER'
}

export const TEST_ANSWERS = ['Approve', 'Decline', 'Hang', 'Twice'] as const satisfies TestPaymentAnswer[]

export const ORDER_TONES = {
  Ready: 'warn',
  Paid: 'good',
  Canceled: 'plain',
  Failed: 'bad',
  Refunded: 'plain',
} as const satisfies Record<Order['status'], string>
