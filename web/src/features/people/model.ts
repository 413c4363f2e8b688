import { freeText, urlParams } from '@/shared/lib/url-params'
import { readNumber } from '@/shared/ui/schema-form/read-number'

export const PEOPLE = urlParams({ keyword: freeText(254), user: freeText() }, 'user')

export const ADDRESSES = urlParams({ address: freeText(64) })

/** Maximum credits of one grant, and maximum length of its reason. */
export const MAX_GRANT = 1_000_000_000_000
export const MAX_REASON = 200

/** The typed amount; null if invalid. */
export function grantedAmount(text: string): number | null {
  const read = readNumber(text, true)
  return 'value' in read && typeof read.value === 'number' && read.value >= 1 && read.value <= MAX_GRANT
    ? read.value
    : null
}
