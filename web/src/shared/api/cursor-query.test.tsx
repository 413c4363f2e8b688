import { QueryClient } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { cursorQuery, numberedQuery } from './cursor-query'

type Page = { items: string[]; nextCursor?: string | null }

async function load(answers: Page[], pages: number) {
  const fetchPage = vi.fn(async (_next: { cursor?: string }) => answers[fetchPage.mock.calls.length - 1] as Page)
  const query = cursorQuery(['list'], fetchPage)
  const client = new QueryClient()
  const cached = await client.fetchInfiniteQuery({ ...query, pages })
  return { requested: fetchPage.mock.calls.map(([next]) => next), shown: query.select?.(cached) }
}

it('requests the first page without a cursor and the next with the cursor of the last', async () => {
  const { requested, shown } = await load(
    [{ items: ['a', 'b'], nextCursor: '2' }, { items: ['c'], nextCursor: null }, { items: ['never'] }],
    5,
  )
  expect(requested).toEqual([{}, { cursor: '2' }])
  expect(shown).toEqual(['a', 'b', 'c'])
})

it('a repeated cursor ends the list', async () => {
  const { requested } = await load(
    [
      { items: ['a'], nextCursor: '2' },
      { items: ['b'], nextCursor: '2' },
      { items: ['b'], nextCursor: '2' },
    ],
    3,
  )
  expect(requested).toEqual([{}, { cursor: '2' }])
})

it('maps the pages to what the list shows', () => {
  const query = cursorQuery(
    ['list'],
    async () => ({ items: [1] }),
    (pages) => pages.length,
  )
  expect(query.select?.({ pages: [{ items: [1] }, { items: [2, 3] }], pageParams: [null, 'b'] })).toBe(2)
})

it('loads a numbered list up to its last page', async () => {
  const fetchPage = vi.fn(async (currentPage: number) => ({
    items: [currentPage],
    pagination: { currentPage, totalPages: 2 },
  }))
  const query = numberedQuery(['numbers'], fetchPage, ({ pages }) => pages.flatMap((page) => page.items))
  const cached = await new QueryClient().fetchInfiniteQuery({ ...query, pages: 4 })
  expect(query.select?.(cached)).toEqual([1, 2])
})
