import { expect, it } from 'vitest'
import { characterCount, normalizeName } from './names'

it('turns any text into a valid name', () => {
  expect(normalizeName(' \u200fשלום\u200f ', 40)).toBe('שלום')
  expect(normalizeName('a\u202eb\u0000c\ud83d', 40)).toBe('abc')
  expect(normalizeName('한글'.normalize('NFD'), 2)).toBe('한글')
  expect(normalizeName('Zoe\u0301', 3)).toBe('Zoé')
})

it('cuts between graphemes', () => {
  const family = '👩‍👩‍👧'
  expect(normalizeName(`ab${family}`, 4)).toBe('ab')
  expect(normalizeName(`ab${family}`, 7)).toBe(`ab${family}`)
  expect(normalizeName('🇰🇷🇰🇷', 3)).toBe('🇰🇷')
  expect(normalizeName('e\u0323\u0302x'.repeat(3), 2).length).toBeLessThanOrEqual(2)
})

it('counts as the server does', () => {
  expect(characterCount('가'.repeat(40).normalize('NFD'))).toBe(40)
  expect(characterCount('😀😀')).toBe(2)
})
