import { expect, it } from 'vitest'
import { lengthOf, tidyName } from './names'

it('makes a name of any text that the server takes', () => {
  expect(tidyName(' \u200fשלום\u200f ', 40)).toBe('שלום')
  expect(tidyName('a\u202eb\u0000c\ud83d', 40)).toBe('abc')
  expect(tidyName('한글'.normalize('NFD'), 2)).toBe('한글')
  expect(tidyName('Zoe\u0301', 3)).toBe('Zoé')
})

it('cuts between letters as they are seen', () => {
  const family = '👩‍👩‍👧'
  expect(tidyName(`ab${family}`, 4)).toBe('ab')
  expect(tidyName(`ab${family}`, 7)).toBe(`ab${family}`)
  expect(tidyName('🇰🇷🇰🇷', 3)).toBe('🇰🇷')
  expect(tidyName('e\u0323\u0302x'.repeat(3), 2).length).toBeLessThanOrEqual(2)
})

it('counts as the server does', () => {
  expect(lengthOf('가'.repeat(40).normalize('NFD'))).toBe(40)
  expect(lengthOf('😀😀')).toBe(2)
})
