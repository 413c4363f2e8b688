import { formatDate } from './format'

/** The first moment of a day of a date field, in the reader's time zone. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

/** The last moment of a day of a date field, in the reader's time zone. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString()

/** Whether the day is empty or not over yet. */
export const isFuture = (day: string, now = Date.now()): boolean =>
  day === '' || new Date(`${day}T23:59:59.999`).getTime() > now

/** The day of a time in the reader's time zone, as a date field takes it. */
export const dayOf = (iso: string | null | undefined): string => (iso ? formatDate(iso).replaceAll('.', '-') : '')
