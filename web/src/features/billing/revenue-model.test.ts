import { describe, expect, it } from 'vitest'
import { revenueRow } from '@/shared/testing/factories'
import { barsOf, linesOf, REVENUE, rowsOf, toRevenueQuery, totalsOf } from './revenue-model'

const dollars = revenueRow()
const plans = revenueRow({ kind: 'Subscription', orders: 1, paid: 990, refunded: 0, net: 990 })
const won = revenueRow({
  period: '2026-11-21',
  provider: 'TossPayments',
  currency: 'KRW',
  orders: 0,
  paid: 0,
  net: -699,
})
const rows = [dollars, plans, won]

describe('revenue', () => {
  it('is asked for by days and grouping; the provider is a filter of the page', () => {
    const read = (query: string) => REVENUE.read(new URLSearchParams(query))
    expect(toRevenueQuery(read(''))).toEqual({ groupBy: 'day' })
    const filters = read('from=2026-11-01&until=2026-11-30&groupBy=week&provider=PayPal')
    expect(toRevenueQuery(filters)).toEqual({ from: '2026-11-01', until: '2026-11-30', groupBy: 'week' })
    expect(rowsOf({ periods: [], rows }, filters.provider)).toEqual([dollars, plans])
    expect(rowsOf({ periods: [], rows }, '')).toEqual(rows)
  })

  it('is summed by currency', () => {
    expect(totalsOf(rows)).toEqual([
      { currency: 'KRW', orders: 0, paid: 0, refunded: 699, net: -699 },
      { currency: 'USD', orders: 3, paid: 2388, refunded: 699, net: 1689 },
    ])
    expect(totalsOf([])).toEqual([])
  })

  it('has a bar for each period, also for an empty one', () => {
    expect(barsOf(['2026-11-19', '2026-11-20'], rows, 'USD')).toEqual([
      { period: '2026-11-19', paid: 0, refunded: 0 },
      { period: '2026-11-20', paid: 2388, refunded: 699 },
    ])
  })

  it('is listed from the newest period', () => {
    expect(linesOf(rows).map(({ _id }) => _id)).toEqual([
      '2026-11-21 TossPayments KRW Credit',
      '2026-11-20 PayPal USD Credit',
      '2026-11-20 PayPal USD Subscription',
    ])
  })
})
