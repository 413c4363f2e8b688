import { isApiError } from '@/shared/api/errors'
import type { BillingCountry, Item, Order, Plan, Shop, Subscription } from '@/shared/api/types'
import { isRecord } from '@/shared/lib/is-record'
import { freeText, oneOf, urlParams } from '@/shared/lib/url-params'
import { CURRENCY_OF } from './orders-model'

/** The plan whose dialog is open. */
export const PLAN = urlParams({ plan: freeText() })

/** How the buyer comes back from PayPal. */
export const PAYPAL_RETURN = urlParams({ paypal: oneOf<'returned' | 'canceled' | ''>(['returned', 'canceled'], '') })

/** A failed payment of a plan is tried this many times. */
export const MAX_TRIES = 3

export const isLive = (subscription: Subscription | null | undefined): subscription is Subscription =>
  subscription != null && subscription.status !== 'Ended'

/** Whether a payment was asked for and its answer is not known. */
export const isSettlingOf = (subscription: Subscription | null | undefined): boolean =>
  isLive(subscription) && (subscription.status === 'Pending' || subscription.order?.isSettling === true)

/** Whether another plan can be chosen. */
export const isChangeable = (subscription: Subscription): boolean =>
  subscription.status === 'Active' &&
  subscription.paidWith === 'Card' &&
  !subscription.isCanceled &&
  !isSettlingOf(subscription)

/** The item with which a plan is bought. */
export const itemOf = ({ items }: Shop, plan: string): Item | null =>
  items.find((item) => item.kind === 'Subscription' && item.plan === plan) ?? null

/** Whether this installation sells plans. */
export const sellsPlans = ({ items, buying }: Shop): boolean =>
  buying.currencies.length > 0 && items.some(({ kind }) => kind === 'Subscription')

/** Why a plan cannot be bought from a country; null if it can. */
export function cannotSubscribe(
  { prices }: Item,
  { buying }: Shop,
  country: BillingCountry,
): 'price' | 'currency' | null {
  const currency = CURRENCY_OF[country]
  if (!prices[currency]) return 'price'
  return buying.currencies.includes(currency) ? null : 'currency'
}

/** Whether PayPal charges plans from a country. Those in won are charged to a saved card. */
export const paysWithPayPal = (country: BillingCountry): boolean => CURRENCY_OF[country] !== 'KRW'

/** What a person can do with a plan. */
export type PlanChoice = 'current' | 'planned' | 'switch' | 'subscribe' | 'included' | 'none'

/** `current` is the plan of today, which may come from a coupon. */
export function choiceOf(
  plan: string,
  plans: readonly Plan[],
  current: string | undefined,
  subscription: Subscription | null,
): PlanChoice {
  if (isLive(subscription)) {
    if (plan === subscription.plan) return 'current'
    if (plan === subscription.nextPlan) return 'planned'
    return isChangeable(subscription) ? 'switch' : 'none'
  }
  if (plan === current) return 'current'
  const rank = (name: string | undefined) => plans.findIndex((one) => one.name === name)
  return rank(plan) < rank(current) ? 'included' : 'subscribe'
}

/** A month after a time: the same day, or the last one of a shorter month. */
export function monthAfter(time: Date): Date {
  const next = new Date(time)
  next.setMonth(next.getMonth() + 1)
  if (next.getDate() !== time.getDate()) next.setDate(0)
  return next
}

/** The price that a refusal names. */
export function newPrice(error: unknown): number | null {
  if (!isApiError(error) || error.code !== 'PRICE_CHANGED' || !isRecord(error.details)) return null
  const { amount } = error.details
  return typeof amount === 'number' ? amount : null
}

export type SubscriptionState = 'active' | 'approving' | 'ending' | 'planned' | 'pastDue' | 'settling' | 'ended'

export function stateOf(subscription: Subscription): Exclude<SubscriptionState, 'planned'> {
  if (subscription.status === 'Ended') return 'ended'
  if (subscription.payAt) return 'approving'
  if (isSettlingOf(subscription)) return 'settling'
  if (subscription.status === 'PastDue') return 'pastDue'
  return subscription.isCanceled ? 'ending' : 'active'
}

/** The day that the word for the state names. */
export const stateDay = (subscription: Subscription): string =>
  (subscription.status === 'Ended' && subscription.endedAt) || subscription.periodUntil

export const STATE_TONES = {
  active: 'good',
  approving: 'warn',
  ending: 'warn',
  pastDue: 'bad',
  settling: 'warn',
  ended: 'plain',
} as const satisfies Record<ReturnType<typeof stateOf>, string>

/** Whether an order pays a period of a subscription that is running. Its refund ends the subscription. */
export function isOfRunningPeriod({ kind, status, periodUntil }: Order, now = Date.now()): boolean {
  return kind === 'Subscription' && status === 'Paid' && periodUntil != null && new Date(periodUntil).getTime() > now
}

/** What became of a change of the plan. */
export function changeResult(subscription: Subscription, plan: string): 'now' | 'planned' | 'settling' | 'failed' {
  if (subscription.plan === plan && !subscription.nextPlan) return 'now'
  if (subscription.nextPlan === plan) return 'planned'
  return isSettlingOf(subscription) ? 'settling' : 'failed'
}
