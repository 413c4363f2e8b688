import { describe, expect, it } from 'vitest'
import { spread } from './spread'

const words = (pages: string[]) =>
  spread(
    pages.map((page) => page.split(' ')),
    (item) => item[0],
  ).join(' ')

describe('a feed', () => {
  it.each([
    ['one by others comes between', ['a1 a2 a3 a4 b1 c1'], 'a1 a2 b1 a3 a4 c1'],
    ['what is mixed already stays', ['a1 b1 a2 b2'], 'a1 b1 a2 b2'],
    ['one author alone stays in order', ['a1 a2 a3 a4'], 'a1 a2 a3 a4'],
    ['the end of a page counts for the next', ['b1 a1 a2', 'a3 c1'], 'b1 a1 a2 c1 a3'],
    ['and moves nothing of the page before', ['a1 a2 a3', 'b1'], 'a1 a2 a3 b1'],
  ])('%s', (_, pages, expected) => {
    expect(words(pages)).toBe(expected)
  })
})
