import { expect, it } from 'vitest'
import type { CalendarDay } from '@/shared/api/types'
import { CALENDAR, monthPlus, thisMonth, toSubscriberQuery, weekdays, weeksOf } from './calendar-model'

const day = (date: string): CalendarDay => ({ day: date, planned: [], paid: [], failed: 0 })
const month = (name: string, days: number) =>
  Array.from({ length: days }, (_, index) => day(`${name}-${String(index + 1).padStart(2, '0')}`))

it('the month and the day are in the address', () => {
  const read = (query: string) => CALENDAR.read(new URLSearchParams(query))
  expect(read('month=2026-12&day=2026-12-24&status=PastDue')).toEqual({
    month: '2026-12',
    day: '2026-12-24',
    status: 'PastDue',
    search: '',
  })
  expect(read('month=2026-13&day=2026-02-30&status=x')).toEqual({ month: '', day: '', status: '', search: '' })
  expect(toSubscriberQuery({ day: '', status: 'Active', search: '' })).toEqual({ status: 'Active' })
})

it('months follow each other over the year', () => {
  expect(monthPlus('2026-12', 1)).toBe('2027-01')
  expect(monthPlus('2026-01', -1)).toBe('2025-12')
  expect(thisMonth(new Date('2026-11-30T23:59:00Z'))).toBe('2026-11')
})

it('weeks begin on Monday and are complete', () => {
  // The first of December 2026 is a Tuesday.
  const weeks = weeksOf(month('2026-12', 31))
  expect(weeks).toHaveLength(5)
  expect(weeks.every((week) => week.length === 7)).toBe(true)
  expect(weeks[0]?.map((one) => one?.day.slice(8) ?? null)).toEqual([null, '01', '02', '03', '04', '05', '06'])
  expect(weeks[4]?.at(-1)).toBe(null)
  expect(weeksOf([])).toEqual([])
  expect(weekdays('en')[0]).toBe('Mon')
})
