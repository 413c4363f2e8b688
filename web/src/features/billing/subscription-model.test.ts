import { expect, it } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import type { Plan, Shop } from '@/shared/api/types'
import { planItem, planOrder, subscription } from '@/shared/testing/factories'
import {
  cannotSubscribe,
  changeResult,
  choiceOf,
  isOfRunningPeriod,
  isSettlingOf,
  monthAfter,
  newPrice,
  paysWithPayPal,
  stateOf,
} from './subscription-model'

const plans = ['Free', 'Basic', 'Pro'].map((name) => ({ name }) as Plan)

it('what can be done with a plan depends on the subscription', () => {
  const choices = (current: string | undefined, own: Parameters<typeof choiceOf>[3]) =>
    plans.map(({ name }) => choiceOf(name, plans, current, own))
  expect(choices(undefined, null)).toEqual(['subscribe', 'subscribe', 'subscribe'])
  expect(choices('Basic', null)).toEqual(['included', 'current', 'subscribe'])
  expect(choices('Pro', subscription())).toEqual(['switch', 'switch', 'current'])
  expect(choices('Pro', subscription({ nextPlan: 'Basic' }))).toEqual(['switch', 'planned', 'current'])
  expect(choices('Pro', subscription({ isCanceled: true }))).toEqual(['none', 'none', 'current'])
  expect(choices('Pro', subscription({ paidWith: 'PayPal' }))).toEqual(['none', 'none', 'current'])
  expect(choices('Free', subscription({ status: 'Ended' }))).toEqual(['current', 'subscribe', 'subscribe'])
})

it('a plan needs a price and a provider in the currency of the country', () => {
  const shop: Shop = { items: [], buying: { isTest: false, currencies: ['KRW'] } }
  expect(cannotSubscribe(planItem(), shop, 'KR')).toBe(null)
  expect(cannotSubscribe(planItem(), shop, 'Other')).toBe('currency')
  expect(cannotSubscribe(planItem({ prices: { KRW: null, USD: 990 } }), shop, 'KR')).toBe('price')
})

it('PayPal charges plans outside Korea', () => {
  const shop: Shop = { items: [], buying: { isTest: false, currencies: ['KRW', 'USD'] } }
  expect(cannotSubscribe(planItem(), shop, 'Other')).toBe(null)
  expect([paysWithPayPal('KR'), paysWithPayPal('Other')]).toEqual([false, true])
})

it.each([
  ['2026-01-31T10:00:00', '2026-02-28T10:00:00'],
  ['2026-11-27T10:00:00', '2026-12-27T10:00:00'],
  ['2026-12-31T10:00:00', '2027-01-31T10:00:00'],
])('a month after %s is %s', (time, next) => {
  expect(monthAfter(new Date(time))).toEqual(new Date(next))
})

it('a payment without an answer is under way', () => {
  expect(isSettlingOf(subscription())).toBe(false)
  expect(isSettlingOf(subscription({ status: 'Pending' }))).toBe(true)
  expect(isSettlingOf(subscription({ order: planOrder({ status: 'Ready', isSettling: true }) }))).toBe(true)
  expect(isSettlingOf(null)).toBe(false)
  expect(stateOf(subscription({ status: 'PastDue' }))).toBe('pastDue')
  expect(stateOf(subscription({ isCanceled: true }))).toBe('ending')
  expect(stateOf(subscription({ status: 'Pending', payAt: 'https://paypal.example/1' }))).toBe('approving')
})

it('a refund of a running period ends the subscription', () => {
  const now = new Date('2026-12-01T00:00:00Z').getTime()
  expect(isOfRunningPeriod(planOrder(), now)).toBe(true)
  expect(isOfRunningPeriod(planOrder({ periodUntil: '2026-11-30T00:00:00Z' }), now)).toBe(false)
  expect(isOfRunningPeriod(planOrder({ kind: 'Credit' }), now)).toBe(false)
})

it('a change works now, later, or not', () => {
  expect(changeResult(subscription(), 'Pro')).toBe('now')
  expect(changeResult(subscription({ nextPlan: 'Basic' }), 'Basic')).toBe('planned')
  expect(changeResult(subscription(), 'Basic')).toBe('failed')
  const asked = subscription({ order: planOrder({ status: 'Ready', isSettling: true }) })
  expect(changeResult(asked, 'Basic')).toBe('settling')
})

it('a refusal may name the new price', () => {
  expect(newPrice(new ApiError(409, { code: 'PRICE_CHANGED', details: { amount: 1200 } }))).toBe(1200)
  expect(newPrice(new ApiError(409, { code: 'SUBSCRIPTION_EXISTS' }))).toBe(null)
})
