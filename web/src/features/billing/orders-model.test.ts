import { describe, expect, it } from 'vitest'
import { item, order } from '@/shared/testing/factories'
import { cannotBuy, failureOf, formatMoney, moneyText, pauseAfter, typedMoney } from './orders-model'

describe('money', () => {
  it('is shown in the unit of the currency', () => {
    expect(formatMoney(9900, 'KRW', 'en')).toBe('₩9,900')
    expect(formatMoney(9900, 'KRW', 'ko')).toBe('₩9,900')
    expect(formatMoney(699, 'USD', 'en')).toBe('$6.99')
    expect(formatMoney(699, 'USD', 'ko')).toBe('$6.99')
  })

  it.each([
    ['6.99', 'USD', 699],
    ['7', 'USD', 700],
    ['1,234.50', 'USD', 123_450],
    ['9,900', 'KRW', 9900],
    ['6.999', 'USD', null],
    ['99.5', 'KRW', null],
    ['-1', 'USD', null],
    ['', 'USD', null],
    ['free', 'KRW', null],
  ] as const)('%s in %s is read as %s', (text, currency, units) => {
    expect(typedMoney(text, currency)).toBe(units)
  })

  it('survives its field', () => {
    for (let amount = 1; amount < 5000; amount += 7) {
      expect(typedMoney(moneyText(amount, 'USD'), 'USD')).toBe(amount)
      expect(typedMoney(moneyText(amount, 'KRW'), 'KRW')).toBe(amount)
    }
  })
})

describe('an item', () => {
  const shop = { items: [], buying: { isTest: false, currencies: ['KRW' as const] } }

  it('can be bought in a currency that has a price and is set up', () => {
    expect(cannotBuy(item(), shop, 'KR')).toBeNull()
    expect(cannotBuy(item(), shop, 'Other')).toBe('currency')
    expect(cannotBuy(item({ prices: { KRW: null, USD: 699 } }), shop, 'KR')).toBe('price')
  })
})

it('asks for a result ever more slowly', () => {
  expect([0, 30_000, 120_000, 900_000].map(pauseAfter)).toEqual([2000, 4000, 10_000, 10_000])
})

it('has words for each failure', () => {
  expect(failureOf(order())).toBeNull()
  expect(failureOf(order({ failure: 'DECLINED' }))).toBe('DECLINED')
  expect(failureOf(order({ failure: 'SOMETHING_NEW' as 'DECLINED' }))).toBe('OTHER')
})
