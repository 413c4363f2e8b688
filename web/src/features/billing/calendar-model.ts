import type { CalendarDay, Subscription } from '@/shared/api/types'
import { calendarDay } from '@/shared/lib/calendar-day'
import { freeText, oneOf, type ParamsOf, parsedBy, urlParams } from '@/shared/lib/url-params'
import { MAX_SEARCH } from './model'

export const SUBSCRIPTION_STATUSES = [
  'Pending',
  'Active',
  'PastDue',
  'Ended',
] as const satisfies Subscription['status'][]

const monthOf = (text: string): string | undefined => (calendarDay(`${text}-01`) ? text : undefined)

/** The shown month, and the filters of the list below it. Empty values filter nothing. Days are in UTC. */
export const CALENDAR = urlParams({
  month: parsedBy(monthOf),
  day: parsedBy(calendarDay),
  status: oneOf<Subscription['status'] | ''>(SUBSCRIPTION_STATUSES, ''),
  search: freeText(MAX_SEARCH),
})
export type SubscriberFilters = Omit<ParamsOf<typeof CALENDAR>, 'month'>
export const NO_SUBSCRIBER_FILTERS: SubscriberFilters = { day: '', status: '', search: '' }

export const hasSubscriberFilters = (filters: SubscriberFilters): boolean =>
  Object.values(filters).some((value) => value !== '')

/** The filters as the API takes them. */
export const toSubscriberQuery = ({ day, status, search }: SubscriberFilters) => ({
  ...(day && { day }),
  ...(status && { status }),
  ...(search && { search }),
})

/** The month of today, in UTC: `2026-11`. */
export const thisMonth = (now = new Date()): string => now.toISOString().slice(0, 7)

/** The month that is `step` months later. */
export function monthPlus(month: string, step: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + step, 1)).toISOString().slice(0, 7)
}

/** The days of a month in weeks from Monday; null before the first and after the last. */
export function weeksOf(days: readonly CalendarDay[]): (CalendarDay | null)[][] {
  const first = days[0]
  if (!first) return []
  const before = (new Date(`${first.day}T00:00:00Z`).getUTCDay() + 6) % 7
  const cells: (CalendarDay | null)[] = [...Array<null>(before).fill(null), ...days]
  while (cells.length % 7 > 0) cells.push(null)
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
}

/** Whether anything is planned, paid or failed on a day. */
export const isBusy = ({ planned, paid, failed }: CalendarDay): boolean =>
  planned.length > 0 || paid.length > 0 || failed > 0

/** The names of the days of the week from Monday. */
export const weekdays = (language: string): string[] => {
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  // The first of January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, day) => format.format(new Date(Date.UTC(2024, 0, 1 + day))))
}

/** A month in words: `November 2026`. */
export const monthName = (month: string, language: string): string =>
  new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(`${month}-01T00:00:00Z`),
  )

/** A day in words: `November 5, 2026`. */
export const dayName = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

export const MAX_END_REASON = 200
