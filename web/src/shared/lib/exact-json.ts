/** Texts, numbers, and the numbers that Python writes and JSON has no word for. */
const VALUES = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|NaN/g

/**
 * Reads JSON without losing a digit: a number that would be written otherwise than in the text, such as a seed above 2^53,
 * becomes the text itself. `NaN` and infinities become `null`.
 */
export function parseExact(text: string): unknown {
  return JSON.parse(
    withoutMark(text).replace(VALUES, (value) => {
      if (value.startsWith('"')) return value
      if (value.endsWith('y') || value === 'NaN') return 'null'
      return String(Number(value)) === value ? value : `"${value}"`
    }),
  )
}

/** A text without a byte-order mark. */
export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** The fields of the object that a JSON text is, each value as it is written; of a key that stands twice the last. */
export function rawFields(text: string): Map<string, string> {
  const fields = new Map<string, string>()
  let depth = 0
  let key: string | undefined
  let start = -1
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const ends = depth === 1 && (token === ',' || token === '}') && key !== undefined && start >= 0
    if (ends && key !== undefined) {
      fields.set(key, text.slice(start, index).trim())
      key = undefined
      start = -1
    }
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && token === ':') start = index + 1
    else if (depth === 1 && start < 0 && token.startsWith('"')) key = JSON.parse(token) as string
  }
  return fields
}
