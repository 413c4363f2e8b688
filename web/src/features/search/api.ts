import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { skippedQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { SearchResults } from '@/shared/api/types'
import type { HitKind } from './model'

const BESIDE_FIELD = 4
const PAGE = 24

/** Searches workflows, pictures and people. Outdated requests are aborted. */
export const searchQuery = (text: string, limit = BESIDE_FIELD) =>
  queryOptions({
    queryKey: [...keys.search, text, limit] as const,
    queryFn: ({ signal }): Promise<SearchResults> =>
      data(api.GET('/api/public/search', { params: { query: { q: text, limit } }, signal })),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })

/** All results of one kind, the best first. */
export const kindSearchQuery = (text: string, kind: HitKind) => ({
  ...skippedQuery(
    [...keys.search, text, kind] as const,
    (skip, signal): Promise<SearchResults> =>
      data(api.GET('/api/public/search', { params: { query: { q: text, kind, limit: PAGE, skip } }, signal })),
  ),
  enabled: text !== '',
  placeholderData: keepPreviousData,
  staleTime: 30_000,
})
