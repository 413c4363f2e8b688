import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { DebitBody, PersonMoney, Revenue } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type RevenueFilters, toRevenueQuery } from './revenue-model'

/** The plan, credits and newest orders of a person, for admins. Always fresh: the person spends the credits. */
export const personMoneyQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.people.money, id],
    queryFn: ({ signal }): Promise<PersonMoney> =>
      data(api.GET('/api/admin/user/{id}/money', { params: { path: { id } }, signal })),
    staleTime: 0,
  })

/** Takes credits of one grant of a person back. */
export function useTakeBackCredits(user: string, source: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Omit<DebitBody, 'user' | 'source'>) =>
      data(api.POST('/api/admin/credit/debit', { body: { user, source, ...body } })),
    // A second press must not take more back.
    once: () => source,
    onSettled: () => {
      for (const queryKey of [keys.people.all, keys.audit.all]) void client.invalidateQueries({ queryKey })
    },
  })
}

/** What was paid and paid back over time, for admins. */
export const revenueQuery = (filters: RevenueFilters) => {
  const query = toRevenueQuery(filters)
  return queryOptions({
    queryKey: [...keys.billing.revenue, query],
    queryFn: ({ signal }): Promise<Revenue> => data(api.GET('/api/admin/revenue', { params: { query }, signal })),
    staleTime: 0,
  })
}

export const revenueFileUrl = (filters: RevenueFilters): string =>
  `/api/admin/revenue.csv?${new URLSearchParams(toRevenueQuery(filters))}`
