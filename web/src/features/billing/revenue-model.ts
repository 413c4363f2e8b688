import type { Currency, PaymentProvider, Revenue, RevenueRow } from '@/shared/api/types'
import { calendarDay } from '@/shared/lib/calendar-day'
import { oneOf, type ParamsOf, parsedBy, urlParams } from '@/shared/lib/url-params'
import { PROVIDERS } from './sold-model'

export const GROUPINGS = ['day', 'week', 'month'] as const
export type RevenueGrouping = (typeof GROUPINGS)[number]

/** The days, in UTC and inclusive, and how they are grouped. An empty provider means all. */
export const REVENUE = urlParams({
  from: parsedBy(calendarDay),
  until: parsedBy(calendarDay),
  groupBy: oneOf<RevenueGrouping>(GROUPINGS, 'day'),
  provider: oneOf<PaymentProvider | ''>(PROVIDERS, ''),
})
export type RevenueFilters = ParamsOf<typeof REVENUE>

/** The filters as the API takes them. The page filters by provider. */
export const toRevenueQuery = ({ from, until, groupBy }: RevenueFilters) => ({
  ...(from && { from }),
  ...(until && { until }),
  groupBy,
})

/** The rows of a provider, or all of them. */
export const rowsOf = ({ rows }: Revenue, provider: RevenueFilters['provider']): RevenueRow[] =>
  provider ? rows.filter((row) => row.provider === provider) : rows

type Sums = Pick<RevenueRow, 'orders' | 'paid' | 'refunded' | 'net'>

function sumOf(rows: readonly RevenueRow[]): Sums {
  const sums = { orders: 0, paid: 0, refunded: 0, net: 0 }
  for (const row of rows) {
    sums.orders += row.orders
    sums.paid += row.paid
    sums.refunded += row.refunded
    sums.net += row.net
  }
  return sums
}

/** The sums of each currency that the rows have. Amounts of two currencies cannot be added. */
export const totalsOf = (rows: readonly RevenueRow[]): ({ currency: Currency } & Sums)[] =>
  (['KRW', 'USD'] as const).flatMap((currency) => {
    const own = rows.filter((row) => row.currency === currency)
    return own.length === 0 ? [] : [{ currency, ...sumOf(own) }]
  })

/** A bar of the chart. */
export type RevenueBar = Pick<RevenueRow, 'period' | 'paid' | 'refunded'>

/** What was paid and paid back in one currency, for all periods. */
export const barsOf = (periods: readonly string[], rows: readonly RevenueRow[], currency: Currency): RevenueBar[] =>
  periods.map((period) => {
    const { paid, refunded } = sumOf(rows.filter((row) => row.currency === currency && row.period === period))
    return { period, paid, refunded }
  })

/** A row with an id, as tables need it. */
export type RevenueLine = RevenueRow & { _id: string }

/** Newest period first. */
export const linesOf = (rows: readonly RevenueRow[]): RevenueLine[] =>
  rows
    .map((row) => ({ ...row, _id: [row.period, row.provider, row.currency, row.kind].join(' ') }))
    .sort((one, other) => other.period.localeCompare(one.period))
