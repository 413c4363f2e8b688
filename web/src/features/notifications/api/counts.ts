import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { type Counts, REFETCH_MS } from '../unread'

/** What the keys of all boxes begin with. */
export const BOX_KEY = keys.notifications.box

/** How many are unread, in all and of each type. */
export const countsQuery = () =>
  queryOptions({
    queryKey: keys.notifications.counts,
    queryFn: ({ signal }): Promise<Counts> => data(api.GET('/api/general/notification-box/count-all', { signal })),
    refetchInterval: REFETCH_MS,
    // What was taken back is told to nobody: who comes back to the page finds the badge as it is.
    refetchOnWindowFocus: true,
  })

/** Something new came: the box is asked for anew; an open history is not, or it would jump. */
export async function hearOf(client: QueryClient, count: number): Promise<void> {
  if (client.getQueryData(countsQuery().queryKey)?.count === count) return
  await Promise.all([
    client.invalidateQueries({ queryKey: countsQuery().queryKey }),
    client.invalidateQueries({ queryKey: BOX_KEY }),
  ])
}
