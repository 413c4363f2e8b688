import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type { AdminSubscription, CursorPage, SubscriptionCalendar } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type SubscriberFilters, toSubscriberQuery } from './calendar-model'

const PAGE = 20

/** What is charged, was paid and failed on the days of a month, for admins. */
export const calendarQuery = (month: string) =>
  queryOptions({
    queryKey: [...keys.billing.calendar, month],
    queryFn: ({ signal }): Promise<SubscriptionCalendar> =>
      data(api.GET('/api/admin/subscription/calendar', { params: { query: { month } }, signal })),
    staleTime: 0,
  })

/** The subscriptions of all users, for admins. */
export const subscribersQuery = (filters: SubscriberFilters) => ({
  ...cursorQuery([...keys.billing.subscribers, filters], (next, signal): Promise<CursorPage<AdminSubscription>> => {
    const query = { limit: PAGE, ...toSubscriberQuery(filters), ...next }
    return data(api.GET('/api/admin/subscription', { params: { query }, signal }))
  }),
  staleTime: 0,
})

/** Ends a subscription at once. */
export function useEndSubscription(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (reason: string): Promise<AdminSubscription> =>
      data(api.POST('/api/admin/subscription/{id}/end', { params: { path: { id } }, body: { reason } })),
    once: () => id,
    onSuccess: (subscription) => {
      // It stays in the list that is shown, even if it no longer matches the filter.
      patchItem<AdminSubscription>(client, CACHED_ITEMS.subscriber, id, () => subscription)
      for (const queryKey of [keys.billing.calendar, keys.audit.all]) void client.invalidateQueries({ queryKey })
    },
    onError: () => client.invalidateQueries({ queryKey: keys.billing.subscribers }),
  })
}
