import { describe, expect, it } from 'vitest'
import { spreadAuthors } from './spread-authors'

const words = (pages: string[]) =>
  spreadAuthors(
    pages.map((page) => page.split(' ')),
    (item) => item[0],
  ).join(' ')

describe('a feed', () => {
  it.each([
    ['another author comes between', ['a1 a2 a3 a4 b1 c1'], 'a1 a2 b1 a3 a4 c1'],
    ['a mixed feed is unchanged', ['a1 b1 a2 b2'], 'a1 b1 a2 b2'],
    ['one author alone stays in order', ['a1 a2 a3 a4'], 'a1 a2 a3 a4'],
    ['the end of a page counts for the next page', ['b1 a1 a2', 'a3 c1'], 'b1 a1 a2 c1 a3'],
    ['the previous page is unchanged', ['a1 a2 a3', 'b1'], 'a1 a2 a3 b1'],
  ])('%s', (_, pages, expected) => {
    expect(words(pages)).toBe(expected)
  })
})
