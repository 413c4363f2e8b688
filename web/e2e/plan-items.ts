import type { Page } from '@playwright/test'
import { call, type Person } from './presses/fixtures'

type PlanItem = {
  _id: string
  kind: string
  plan: string | null
  isActive: boolean
  prices: { KRW: number | null; USD: number | null }
}
type Method = { _id: string; label: string; isDefault: boolean }
type Subscription = {
  _id: string
  plan: string
  status: string
  isCanceled: boolean
  nextPlan: string | null
  amount: number
}
type TestCardAnswer = 'Works' | 'Declines' | 'DeclinesLater' | 'Hangs'

const PRICES: Record<string, { KRW: number; USD: number }> = {
  Basic: { KRW: 9900, USD: 790 },
  Standard: { KRW: 19_900, USD: 1490 },
  Pro: { KRW: 49_900, USD: 3990 },
}

/** The active item of a plan. A plan can have only one, so that one of an earlier test is used if there is one. */
export async function planItem(admin: Person, plan: string): Promise<PlanItem> {
  const { items } = await call<{ items: PlanItem[] }>(admin, 'get', '/api/public/item')
  const known = items.find((item) => item.kind === 'Subscription' && item.plan === plan)
  if (known) return known
  const body = { kind: 'Subscription', name: `${plan} monthly`, plan, prices: PRICES[plan] }
  return call<PlanItem>(admin, 'post', '/api/admin/item', body)
}

/** Begins to save a card; `path` is its page at the test provider. */
export async function openCard(person: Person, country = 'KR'): Promise<{ id: string; path: string }> {
  const opened = await call<{ _id: string; page: string }>(person, 'post', '/api/general/payment-method', { country })
  return { id: opened._id, path: new URL(opened.page, 'http://localhost').pathname }
}

/** Saves a card of the test provider. */
export async function saveCard(person: Person, answer: TestCardAnswer = 'Works', country = 'KR'): Promise<Method> {
  const { id, path } = await openCard(person, country)
  await call(person, 'post', `/api/public${path}/answer`, { answer })
  return call<Method>(person, 'post', `/api/general/payment-method/${id}/complete`, { authKey: null })
}

export const cardsOf = async (person: Person): Promise<Method[]> =>
  (await call<{ methods: Method[] }>(person, 'get', '/api/general/payment-method')).methods

export const subscriptionOf = async (person: Person): Promise<Subscription | null> =>
  (await call<{ subscription: Subscription | null }>(person, 'get', '/api/general/subscription')).subscription

/** Subscribes a person with a card to a plan. */
export async function subscribe(admin: Person, person: Person, plan: string): Promise<Subscription> {
  const item = await planItem(admin, plan)
  const body = { itemId: item._id, country: 'KR', amount: item.prices.KRW, isAgreed: true }
  return call<Subscription>(person, 'post', '/api/general/subscription', body)
}

/** Subscribes a person to a plan in dollars; returns the page of the agreement at the test provider. */
export async function openAgreement(admin: Person, person: Person, plan: string): Promise<string> {
  const item = await planItem(admin, plan)
  const body = { itemId: item._id, country: 'Other', amount: item.prices.USD, isAgreed: true }
  const { payAt } = await call<{ payAt: string }>(person, 'post', '/api/general/subscription', body)
  return new URL(payAt, 'http://localhost').pathname
}

/** The page buys in this country: cards pay plans in won, and agreements pay plans in dollars. */
export async function buyIn(page: Page, country: 'KR' | 'Other'): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('vg.country', chosen), country)
}

/** Changes the plan of a person for what it costs now. */
export async function changePlan(admin: Person, person: Person, plan: string): Promise<Subscription> {
  const { _id: itemId } = await planItem(admin, plan)
  const { amount } = await call<{ amount: number }>(person, 'get', `/api/general/subscription/change?itemId=${itemId}`)
  return call<Subscription>(person, 'put', '/api/general/subscription/plan', { itemId, amount })
}

/** Ends the subscription of a person, if there is one. */
export async function endSubscription(admin: Person, person: Person): Promise<void> {
  const known = await subscriptionOf(person)
  if (!known || known.status === 'Ended') return
  await call(admin, 'post', `/api/admin/subscription/${known._id}/end`, { reason: 'A test starts over' })
}
