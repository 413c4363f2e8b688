import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { type Counts, REFETCH_MS } from '../unread'

/** The key prefix of all inbox queries. */
export const INBOX_KEY = keys.notifications.box

export const countsQuery = () =>
  queryOptions({
    queryKey: keys.notifications.counts,
    queryFn: ({ signal }): Promise<Counts> => data(api.GET('/api/general/notification-box/count-all', { signal })),
    refetchInterval: REFETCH_MS,
    // The stream does not send retracted notifications, so the badge is refetched on focus.
    refetchOnWindowFocus: true,
  })

/** Refetches the inbox after a new notification. An open history is not refetched, or it would jump. */
export async function refreshInbox(client: QueryClient, count: number): Promise<void> {
  if (client.getQueryData(countsQuery().queryKey)?.count === count) return
  await Promise.all([
    client.invalidateQueries({ queryKey: countsQuery().queryKey }),
    client.invalidateQueries({ queryKey: INBOX_KEY }),
  ])
}
