/** A JSON string, or an integer of at least 16 digits outside of strings. */
const PARTS = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g

const isLarge = (digits: string) => !Number.isSafeInteger(Number(digits))

/**
 * Quotes integers beyond the safe range in JSON text. Most of them are seeds: a seed that loses a digit makes another
 * picture.
 */
export function quoteBigIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json
  return json.replace(PARTS, (part, at: number) => {
    const isWhole = part[0] !== '"' && !/[\d.eE+]/.test(json[at - 1] ?? '')
    return isWhole && isLarge(part) ? `"${part}"` : part
  })
}

const DIGITS = /^-?\d+$/

/** Whether a value is such a quoted integer. */
export const isBigInteger = (value: unknown): value is string =>
  typeof value === 'string' && DIGITS.test(value) && isLarge(value)

/** Compares numbers, some of which may be strings of digits. Negative if `one` is less. */
export function compareNumbers(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [a, b] = [one, other].map((value) => (typeof value === 'string' ? BigInt(value) : value)) as [bigint, bigint]
  return a < b ? -1 : a > b ? 1 : 0
}
