import { infiniteQueryOptions, type QueryKey } from '@tanstack/react-query'
import type { CursorPage } from './types'

/** The cached data of a list: the loaded pages and the cursor of each. */
export type Pages<Page> = { pages: Page[]; pageParams: unknown[] }

/** Spread into the query of a request. Empty for the first page, which keeps its URL short and cacheable. */
export type CursorParam = { cursor?: string }

/** A cursor list. `shown` maps the loaded pages to what the list displays; by default all items. */
export const cursorQuery = <const Key extends QueryKey, Page extends CursorPage<unknown>, Shown = Page['items']>(
  queryKey: Key,
  fetchPage: (next: CursorParam, signal: AbortSignal) => Promise<Page>,
  shown: (pages: Page['items'][]) => Shown = (pages) => pages.flat() as Shown,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam ? { cursor: pageParam } : {}, signal),
    initialPageParam: null as string | null,
    // A server that repeats a cursor would make the list load forever.
    getNextPageParam: (page, _pages, requested) =>
      page.nextCursor && page.nextCursor !== requested ? page.nextCursor : undefined,
    select: ({ pages }) => shown(pages.map((page) => page.items)),
  })

type Numbered = { pagination: { currentPage: number; totalPages: number } }

/** A list of one of the few routes that count pages, from 1. */
export const numberedQuery = <const Key extends QueryKey, Page extends Numbered, Shown>(
  queryKey: Key,
  fetchPage: (page: number, signal: AbortSignal) => Promise<Page>,
  select: (cached: Pages<Page>) => Shown,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) =>
      pagination.currentPage < pagination.totalPages ? pagination.currentPage + 1 : undefined,
    select,
  })

/** A ranked list of a route that skips earlier results. */
export const skippedQuery = <const Key extends QueryKey, Page extends { nextSkip?: number | null }>(
  queryKey: Key,
  fetchPage: (skip: number, signal: AbortSignal) => Promise<Page>,
) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: ({ nextSkip }) => nextSkip ?? undefined,
  })
