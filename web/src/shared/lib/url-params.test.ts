import { expect, it } from 'vitest'
import { freeText, oneOf, parsedBy, urlParams } from './url-params'

const filters = urlParams(
  {
    state: oneOf(['Open', 'Kept', 'All'], 'Open'),
    keyword: freeText(5),
    day: parsedBy((text) => (/^\d{4}$/.test(text) ? text : undefined)),
    case: freeText(),
  },
  'case',
)
const at = (text: string) => new URLSearchParams(text)

it('parses known values and ignores others', () => {
  expect(filters.read(at('state=Kept&keyword=++silk+and+more&day=2026&case=c-1'))).toEqual({
    state: 'Kept',
    keyword: 'silk',
    day: '2026',
    case: 'c-1',
  })
  expect(filters.read(at('state=open&day=soon'))).toEqual({ state: 'Open', keyword: '', day: '', case: '' })
})

it('keeps foreign parameters and omits defaults', () => {
  expect(String(filters.write(at('from=mail&state=Kept&keyword=x'), { state: 'Open', keyword: '' }))).toBe('from=mail')
  expect(String(filters.write(at('from=mail'), { keyword: 'a&b=c' }))).toBe('from=mail&keyword=a%26b%3Dc')
})

it('a changed filter closes the detail, and opening a detail keeps the filters', () => {
  expect(String(filters.write(at('state=Kept&case=c-1'), { keyword: 'x' }))).toBe('state=Kept&keyword=x')
  expect(String(filters.write(at('state=Kept'), { case: 'c-2' }))).toBe('state=Kept&case=c-2')
})

it.each(['state=All&keyword=a+b', 'day=2026&case=c-1', ''])('parses what it wrote: %s', (text) => {
  const asked = filters.read(at(text))
  expect(filters.read(filters.write(at('from=mail'), asked))).toEqual(asked)
})
