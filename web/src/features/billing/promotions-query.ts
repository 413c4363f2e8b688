import { queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { CurrentPromotions } from '@/shared/api/types'

/** What the visitor is offered now: a banner, and the bonus of a first purchase. It depends on the account. */
export const promotionsQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: [...keys.billing.promotions, userId ?? 'guest'],
    queryFn: ({ signal }): Promise<CurrentPromotions> => data(api.GET('/api/public/promotion', { signal })),
    staleTime: 300_000,
  })
