import { question, words } from '@/shared/lib/question'
import { readNumber } from '@/shared/ui/schema-form/read-number'

/** Who is looked for, and who is open beside the list. */
export const PEOPLE = question({ keyword: words(254), user: words() }, 'user')

export const ADDRESSES = question({ address: words(64) })

/** The most credits that one grant gives, and the longest reason, as the server takes them. */
export const MAX_GRANT = 1_000_000_000_000
export const MAX_REASON = 200

/** The amount that was typed; null for what is none. */
export function grantedAmount(text: string): number | null {
  const read = readNumber(text, true)
  return 'value' in read && typeof read.value === 'number' && read.value >= 1 && read.value <= MAX_GRANT
    ? read.value
    : null
}

/** The end of a day of the calendar here. */
export const endOf = (day: string): string => new Date(`${day}T23:59:59`).toISOString()

/** Whether nothing or a day that is not over was chosen. */
export const isFuture = (day: string, now = Date.now()): boolean =>
  day === '' || new Date(`${day}T23:59:59`).getTime() > now
