import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Found } from '@/shared/api/types'

/** How many of each kind stand below a field while somebody types. */
const BESIDE_FIELD = 4

/** What a text means among workflows, pictures and people. What nobody waits for any more is broken off. */
export const searchQuery = (text: string, limit = BESIDE_FIELD) =>
  queryOptions({
    queryKey: [...keys.search, text, limit] as const,
    queryFn: ({ signal }): Promise<Found> =>
      data(api.GET('/api/public/search', { params: { query: { q: text, limit } }, signal })),
    enabled: text !== '',
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
