import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { cursorQuery, numberedQuery } from './cursor-query'

type Page = { items: string[]; nextCursor?: string | null }

async function load(answers: Page[], pages: number) {
  const ask = vi.fn(async (_next: { cursor?: string }) => answers[ask.mock.calls.length - 1] as Page)
  const query = cursorQuery(['list'], ask)
  const client = new QueryClient()
  const held = await client.fetchInfiniteQuery({ ...query, pages })
  return { asked: ask.mock.calls.map(([next]) => next), shown: query.select?.(held) }
}

it('asks for the first page without a cursor, and goes on at the cursor of each answer', async () => {
  const { asked, shown } = await load(
    [{ items: ['a', 'b'], nextCursor: '2' }, { items: ['c'], nextCursor: null }, { items: ['never'] }],
    5,
  )
  expect(asked).toEqual([{}, { cursor: '2' }])
  expect(shown).toEqual(['a', 'b', 'c'])
})

it('ends where a server sends the same cursor again, instead of loading for ever', async () => {
  const { asked } = await load(
    [
      { items: ['a'], nextCursor: '2' },
      { items: ['b'], nextCursor: '2' },
      { items: ['b'], nextCursor: '2' },
    ],
    3,
  )
  expect(asked).toEqual([{}, { cursor: '2' }])
})

it('makes of the pages what the list shows', () => {
  const query = cursorQuery(
    ['list'],
    async () => ({ items: [1] }),
    (pages) => pages.length,
  )
  expect(query.select?.({ pages: [{ items: [1] }, { items: [2, 3] }], pageParams: [null, 'b'] })).toBe(2)
})

it('counts the pages of a list that has numbers, up to the last one', async () => {
  const ask = vi.fn(async (currentPage: number) => ({
    items: [currentPage],
    pagination: { currentPage, totalPages: 2 },
  }))
  const query = numberedQuery(['numbers'], ask, ({ pages }) => pages.flatMap((page) => page.items))
  const held = await new QueryClient().fetchInfiniteQuery({ ...query, pages: 4 })
  expect(query.select?.(held)).toEqual([1, 2])
})
