/** Why a text is not a number. */
export type NumberProblem = 'number' | 'integer' | 'percent' | 'comma' | 'digits'

/** A number, a string of digits for a big integer, or the problem. */
export type ReadNumber = { value: number | string } | { problem: NumberProblem }

/** Longer texts are not numbers. */
const MAX_LENGTH = 400
/** Invisible characters in pasted text. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const MINUS = /^[\u2010-\u2013\u2212\ufe63]/
const SPACE = /[\s_'’]/g
const FULL_WIDTH = /[\uff01-\uff5e]/g
const SHAPE = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

const fail = (problem: NumberProblem): ReadNumber => ({ problem })

/**
 * Parses a typed or pasted number, in the digits of any script. A point is the decimal mark; commas, spaces and
 * apostrophes separate thousands; a comma is the decimal mark where it can be nothing else. Ambiguous numbers are
 * rejected.
 */
export function readNumber(typed: string, integer: boolean): ReadNumber {
  if (typed.length > MAX_LENGTH) return fail('number')
  let text = typed
    .replace(INVISIBLE, '')
    .replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, digitOf)
    .replaceAll('\u066b', '.')
    .replaceAll('\u066c', ',')
    .trim()
    .replace(MINUS, '-')
  if (/[%‰٪]/.test(text)) return fail('percent')
  text = withoutSpaces(text)
  const [mantissa = '', ...rest] = text.split(/(?=[eE])/)
  const plain = withoutCommas(mantissa)
  if (plain === null) return fail('number')
  if (plain === 'ambiguous') return fail('comma')
  const parts = SHAPE.exec(plain + rest.join(''))
  if (!parts || `${parts[2]}${parts[3] ?? ''}` === '') return fail('number')
  return integer ? wholeOf(parts) : floatOf(parts[0])
}

/** Digits come in rows of ten in every script; the offset in the row is the value. */
function digitOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  // Five rows of mathematical digits follow one another.
  if (at >= 0x1d7ce && at <= 0x1d7ff) return String((at - 0x1d7ce) % 10)
  let before = 0
  while (before < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1
  return String(before)
}

/** Removes spaces and apostrophes between thousands. Elsewhere they stay and make the text invalid. */
function withoutSpaces(text: string): string {
  const groups = /^([+-]?)\s*(\d{1,3}(?:[\s_'’]\d{3})+)(?=$|[.,eE])/
  return text.replace(groups, (_, sign: string, digits: string) => sign + digits.replace(SPACE, ''))
}

/** Leaves only the decimal point; null if the text is not a number. */
function withoutCommas(text: string): string | 'ambiguous' | null {
  const [commas, points] = [text.split(',').length - 1, text.split('.').length - 1]
  const grouped = (mark: string) => new RegExp(`^[+-]?\\d{1,3}(\\${mark}\\d{3})+$`)
  if (commas === 0 && points <= 1) return text
  if (commas === 0) return grouped('.').test(text) ? text.replaceAll('.', '') : null
  if (points === 0) {
    if (commas > 1)
      return grouped(',').test(text) || /^[+-]?\d{1,2}(,\d{2})*,\d{3}$/.test(text) ? text.replaceAll(',', '') : null
    // 0,500 and 1234,500 can only be decimal.
    return /^[+-]?[1-9]\d{0,2},\d{3}$/.test(text) ? 'ambiguous' : text.replace(',', '.')
  }
  // With both marks, the last one is decimal.
  const decimal = text.lastIndexOf(',') > text.lastIndexOf('.') ? ',' : '.'
  const other = decimal === ',' ? '.' : ','
  const [whole = '', part = '', ...more] = text.split(decimal)
  if (more.length > 0 || !grouped(other).test(whole)) return null
  return `${whole.replaceAll(other, '')}.${part}`
}

function wholeOf([, sign, digits = '', part = '', exponent = '0']: RegExpExecArray): ReadNumber {
  let all = digits + part
  const zeros = Number(exponent) - part.length
  if (zeros > MAX_LENGTH) return fail('number')
  if (zeros >= 0) all += '0'.repeat(zeros)
  else {
    if (/[1-9]/.test(all.slice(zeros))) return fail('integer')
    all = all.slice(0, zeros)
  }
  const whole = BigInt(`${all || '0'}`) * (sign === '-' ? -1n : 1n)
  return { value: Number.isSafeInteger(Number(whole)) ? Number(whole) : String(whole) }
}

function floatOf(text: string): ReadNumber {
  const value = Number(text)
  const vanished = value === 0 && /[1-9]/.test(text.split(/[eE]/)[0] ?? '')
  if (!Number.isFinite(value) || vanished) return fail('number')
  return keepsDigits(text, value) ? { value: value === 0 ? 0 : value } : fail('digits')
}

/** The significant digits: without sign, point, exponent, and zeros at the ends. */
const significant = (text: string) =>
  (text.split(/[eE]/)[0] ?? '').replace(/[^\d]/g, '').replace(/^0+/, '').replace(/0+$/, '')

/** Whether a number keeps every digit of its text. */
function keepsDigits(text: string, value: number): boolean {
  const digits = significant(text)
  // 17 digits identify any double.
  return digits.length <= 17 && significant(value.toPrecision(Math.max(digits.length, 1))) === digits
}
