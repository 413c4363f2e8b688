import { describe, expect, it } from 'vitest'
import type { AnyJob, AnyJobsPage } from '@/shared/api/types'
import {
  ALL_STATUSES,
  ANY_JOBS,
  fruitlessSearch,
  hasFilters,
  isReversed,
  NO_FILTERS,
  readText,
  toJobsQuery,
} from './any-jobs-model'

const ID = '01970000-0000-7000-8000-000000000000'

describe('filters of all jobs', () => {
  it('name every status once', () => {
    expect(new Set(ALL_STATUSES).size).toBe(15)
  })

  it('come from the address, without what is no filter', () => {
    const read = ANY_JOBS.read(new URLSearchParams(`status=failed&user=${ID}&label=order=42&worker=x&from=2026-02-31`))
    expect(read).toEqual({ ...NO_FILTERS, status: 'failed', user: ID, label: 'order=42' })
    expect([hasFilters(read), hasFilters(NO_FILTERS)]).toEqual([true, false])
  })

  it('become the parameters of the call', () => {
    const filters = { ...NO_FILTERS, status: 'active', app: ID, lane: 'api', pool: 'gpu' } as const
    expect(toJobsQuery(filters)).toEqual({
      status: 'Pending,Connecting,Connected,Running',
      workflowApi: ID,
      lane: 'api',
      pool: 'gpu',
    })
    expect(toJobsQuery({ ...NO_FILTERS, status: 'Canceled' })).toEqual({ status: 'Canceled' })
    expect(toJobsQuery(NO_FILTERS)).toEqual({})
  })

  it('name an app by its id or by the address of its page', () => {
    const addresses = [ID, `https://example.com/easy-app/${ID}?job=1`, `/admin/easy-app/${ID.toUpperCase()}`]
    expect(addresses.map((text) => readText('app', text))).toEqual([ID, ID, ID])
    expect(
      ['Portraits', '/easy-app/background-remover', `/workflows/${ID}`].map((text) => readText('app', text)),
    ).toEqual([undefined, undefined, undefined])
  })

  it('are refused where a text is no id or no label, or the days are reversed', () => {
    expect(readText('worker', ` ${ID} `)).toBe(ID)
    expect(readText('worker', 'Ann')).toBeUndefined()
    expect(readText('label', 'order')).toBeUndefined()
    expect(readText('label', ' ')).toBe('')
    expect(readText('pool', ' gpu ')).toBe('gpu')
    expect(isReversed({ from: '2026-01-02', until: '2026-01-01' })).toBe(true)
    expect(isReversed({ from: '', until: '2026-01-01' })).toBe(false)
  })
})

describe('a search without a match', () => {
  const backTo = (day: number) => `2026-01-0${day}T00:00:00Z`
  const page = (day: number, items: AnyJob[] = []): AnyJobsPage => ({
    items,
    nextCursor: `cursor-${day}`,
    searched: { jobs: 10_000, backTo: backTo(day) },
  })

  it('asks after five pages, and after five more', () => {
    const asked = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((_, at, days) =>
      fruitlessSearch(days.slice(0, at + 1).map((day) => page(day))),
    )
    expect(asked.map((one) => one !== null)).toEqual([false, false, false, false, true, false, false, false, false])
    const ten = Array.from({ length: 10 }, () => page(9))
    expect(fruitlessSearch(ten)).toEqual({ jobs: 100_000, backTo: backTo(9) })
  })

  it('counts from the last match', () => {
    const match = {} as AnyJob
    const before = [1, 2, 3].map((day) => page(day)).concat(page(4, [match]))
    expect(fruitlessSearch([...before, page(5)])).toBeNull()
    expect(fruitlessSearch([...before, ...[5, 6, 7, 8, 9].map((day) => page(day))])).toEqual({
      jobs: 50_000,
      backTo: backTo(9),
    })
  })

  it('does not ask at the end of the list', () => {
    const end = { items: [], nextCursor: null, searched: null }
    expect(fruitlessSearch([1, 2, 3, 4].map((day) => page(day)).concat(end))).toBeNull()
    expect(fruitlessSearch([])).toBeNull()
  })
})
