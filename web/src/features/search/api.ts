import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { SearchResults } from '@/shared/api/types'

const BESIDE_FIELD = 4

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
