import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import type { CursorPage } from './types'

/** What of a list is held: the pages that were loaded, and where each begins. */
export type Pages<Page> = { pages: Page[]; pageParams: unknown[] }

/** Goes into the query of a request as it is: empty for the first page, so that its address stays short. */
export type Next = { cursor?: string }

/** A list that goes on at the server's cursor. `shown` makes of its pages what is shown; all items where it is left out. */
export const cursorQuery = <const Key extends QueryKey, Item, Shown = Item[]>(
  queryKey: Key,
  ask: (next: Next, signal: AbortSignal) => Promise<CursorPage<Item>>,
  shown: (pages: Item[][]) => Shown = (pages) => pages.flat() as Shown,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam ? { cursor: pageParam } : {}, signal),
    initialPageParam: null as string | null,
    // A server that sends the same cursor again would have the list loaded for ever.
    getNextPageParam: (page, _pages, asked) =>
      page.nextCursor && page.nextCursor !== asked ? page.nextCursor : undefined,
    select: ({ pages }) => shown(pages.map((page) => page.items)),
  })

type Numbered = { pagination: { currentPage: number; totalPages: number } }

/** A list of the few addresses that count pages, from 1. */
export const numberedQuery = <const Key extends QueryKey, Page extends Numbered, Shown>(
  queryKey: Key,
  ask: (page: number, signal: AbortSignal) => Promise<Page>,
  select: (held: Pages<Page>) => Shown,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => ask(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) =>
      pagination.currentPage < pagination.totalPages ? pagination.currentPage + 1 : undefined,
    select,
  })
