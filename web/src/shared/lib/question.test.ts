import { expect, it } from 'vitest'
import { oneOf, question, readBy, words } from './question'

const asking = question(
  {
    state: oneOf(['Open', 'Kept', 'All'], 'Open'),
    keyword: words(5),
    day: readBy((text) => (/^\d{4}$/.test(text) ? text : undefined)),
    case: words(),
  },
  'case',
)
const at = (text: string) => new URLSearchParams(text)

it('reads what is known, and takes anything else as not said', () => {
  expect(asking.read(at('state=Kept&keyword=++silk+and+more&day=2026&case=c-1'))).toEqual({
    state: 'Kept',
    keyword: 'silk',
    day: '2026',
    case: 'c-1',
  })
  expect(asking.read(at('state=open&day=soon'))).toEqual({ state: 'Open', keyword: '', day: '', case: '' })
})

it('keeps what is none of its business, and leaves out what goes without saying', () => {
  expect(String(asking.write(at('from=mail&state=Kept&keyword=x'), { state: 'Open', keyword: '' }))).toBe('from=mail')
  expect(String(asking.write(at('from=mail'), { keyword: 'a&b=c' }))).toBe('from=mail&keyword=a%26b%3Dc')
})

it('another list has nothing open, and opening something leaves the list as it is', () => {
  expect(String(asking.write(at('state=Kept&case=c-1'), { keyword: 'x' }))).toBe('state=Kept&keyword=x')
  expect(String(asking.write(at('state=Kept'), { case: 'c-2' }))).toBe('state=Kept&case=c-2')
})

it.each(['state=All&keyword=a+b', 'day=2026&case=c-1', ''])('reads again what it wrote: %s', (text) => {
  const asked = asking.read(at(text))
  expect(asking.read(asking.write(at('from=mail'), asked))).toEqual(asked)
})
