import { expect, it } from 'vitest'
import { item } from '@/shared/testing/factories'
import { EMPTY_ITEM, itemBody, itemDraft, itemPatch, itemProblems } from './items-model'

it('an item needs a name, credits and a price', () => {
  expect(itemProblems({ ...EMPTY_ITEM, name: ' ', credits: '0', KRW: '', USD: '' })).toEqual({
    name: 'name',
    credits: 'credits',
    KRW: 'noPrice',
  })
  expect(itemProblems({ ...EMPTY_ITEM, name: 'Pack', credits: '10,000', KRW: '99', USD: '0.49' })).toEqual({
    KRW: 'KRW',
    USD: 'USD',
  })
  expect(itemProblems({ ...EMPTY_ITEM, name: 'Pack', credits: '10,000', KRW: '', USD: '0.50' })).toEqual({})
})

it('an item is sent in the smallest units, and changed by what differs', () => {
  const draft = { ...EMPTY_ITEM, name: ' Pack ', credits: '10,000', KRW: '9,900', USD: '' }
  expect(itemBody(draft)).toEqual({ name: 'Pack', kind: 'Credit', credits: 10_000, prices: { KRW: 9900, USD: null } })
  expect(itemPatch(itemDraft(item()), item())).toEqual({})
  expect(itemPatch({ ...itemDraft(item()), USD: '7' }, item())).toEqual({ prices: { KRW: 9900, USD: 700 } })
  expect(itemPatch({ ...itemDraft(item()), name: 'Other' }, item())).toEqual({ name: 'Other' })
})

it('a plan is sold without credits of its own, and needs a plan', () => {
  const draft = { ...EMPTY_ITEM, kind: 'Subscription' as const, name: 'Pro', credits: '5', USD: '9' }
  expect(itemProblems(draft)).toEqual({ plan: 'plan' })
  expect(itemBody({ ...draft, plan: 'Pro' })).toEqual({
    name: 'Pro',
    kind: 'Subscription',
    plan: 'Pro',
    prices: { KRW: null, USD: 900 },
  })
  const sold = item({ kind: 'Subscription', plan: 'Pro', credits: 60_000 })
  expect(itemPatch({ ...itemDraft(sold), name: 'Pro plan' }, sold)).toEqual({ name: 'Pro plan' })
})
