/** A string of JSON, or a whole number with 16 digits or more outside of strings. */
const PARTS = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g

const isLarge = (digits: string) => !Number.isSafeInteger(Number(digits))

/**
 * JSON text in which whole numbers that no number here holds exactly are texts of their digits. Such numbers are seeds, as
 * a rule: one that loses a digit makes another picture.
 */
export function quoteBigIntegers(json: string): string {
  if (!/\d{16}/.test(json)) return json
  return json.replace(PARTS, (part, at: number) => {
    const isWhole = part[0] !== '"' && !/[\d.eE+]/.test(json[at - 1] ?? '')
    return isWhole && isLarge(part) ? `"${part}"` : part
  })
}

const DIGITS = /^-?\d+$/

/** Whether a value is a text of the digits of a whole number. */
export const isBigInteger = (value: unknown): value is string =>
  typeof value === 'string' && DIGITS.test(value) && isLarge(value)

/** Less than 0 where `one` is less than `other`; whole numbers may be texts of their digits. */
export function compareNumbers(one: number | string, other: number | string): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const [a, b] = [one, other].map((value) => (typeof value === 'string' ? BigInt(value) : value)) as [bigint, bigint]
  return a < b ? -1 : a > b ? 1 : 0
}
