/** Strings, numbers, and the numbers that Python writes and JSON lacks. */
const VALUES = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|NaN/g

/**
 * Parses JSON without losing digits: a number that would be printed differently, such as a seed above 2^53, becomes a
 * string. `NaN` and infinities become `null`.
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

export const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g

/** The fields of a JSON object, each value as written. The last of duplicate keys wins. */
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
