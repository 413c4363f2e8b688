import { expect, it } from 'vitest'
import { item } from '@/shared/testing/factories'
import { itemBody, itemDraft, itemPatch, itemProblems } from './items-model'

it('an item needs a name, credits and a price', () => {
  expect(itemProblems({ name: ' ', credits: '0', KRW: '', USD: '' })).toEqual({
    name: 'name',
    credits: 'credits',
    KRW: 'noPrice',
  })
  expect(itemProblems({ name: 'Pack', credits: '10,000', KRW: '99', USD: '0.49' })).toEqual({
    KRW: 'KRW',
    USD: 'USD',
  })
  expect(itemProblems({ name: 'Pack', credits: '10,000', KRW: '', USD: '0.50' })).toEqual({})
})

it('an item is sent in the smallest units, and changed by what differs', () => {
  const draft = { name: ' Pack ', credits: '10,000', KRW: '9,900', USD: '' }
  expect(itemBody(draft)).toEqual({ name: 'Pack', credits: 10_000, prices: { KRW: 9900, USD: null } })
  expect(itemPatch(itemDraft(item()), item())).toEqual({})
  expect(itemPatch({ ...itemDraft(item()), USD: '7' }, item())).toEqual({ prices: { KRW: 9900, USD: 700 } })
  expect(itemPatch({ ...itemDraft(item()), name: 'Other' }, item())).toEqual({ name: 'Other' })
})
