import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { numberedQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { Notification, NotificationType, PageNumbers } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { checked, countedDown, type Filter, once, PAGE, type Which } from '../model'
import { REFETCH_MS } from '../unread'
import { BOX_KEY, countsQuery } from './counts'

type Box = { items: Notification[] }
type HistoryPage = Box & { pagination: PageNumbers }

const HISTORY = keys.notifications.history

/** The newest ones, for the box below the bell. What is read there is what the badge counts, so that it is asked too. */
export const boxQuery = (type: Filter) =>
  queryOptions({
    queryKey: [...BOX_KEY, type] as const,
    queryFn: async ({ signal }): Promise<Notification[]> => {
      const path = { type, limit: PAGE }
      const found: Promise<Box> = data(
        api.GET('/api/general/notification-box/list/{type}/{limit}', { params: { path }, signal }),
      )
      return (await found).items
    },
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })

/** All there ever were, in pages. */
export const historyQuery = (type: Filter) =>
  numberedQuery(
    [...HISTORY, type] as const,
    (page, signal): Promise<HistoryPage> => {
      const query = { type, limit: PAGE, skip: (page - 1) * PAGE, sort: -1 } as const
      return data(api.GET('/api/general/notification-box/history', { params: { query }, signal }))
    },
    ({ pages }) => once(pages),
  )

/** Notes in every list that they are seen. Gives back those that were not until now. */
function note(client: QueryClient, which: Which): void {
  const now = new Date().toISOString()
  const seen = new Map<string, Notification>()
  const look = (items: Notification[]) => {
    const after = checked(items, which, now)
    for (const [index, one] of items.entries()) if (after[index] !== one) seen.set(one._id, one)
    return after
  }
  client.setQueriesData<Notification[]>({ queryKey: BOX_KEY }, (held) => held && look(held))
  client.setQueriesData<{ pages: HistoryPage[]; pageParams: unknown[] }>(
    { queryKey: HISTORY },
    (held) => held && { ...held, pages: held.pages.map((page) => ({ ...page, items: look(page.items) })) },
  )
  client.setQueryData(countsQuery().queryKey, (held) => held && countedDown(held, which, [...seen.values()]))
}

/** Notes that somebody has seen some, or all of a type. Shown at once; the truth is asked for when it is told. */
export function useCheck() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: Which & { kinds?: Map<string, NotificationType> }): Promise<unknown> => {
      if (!which.ids) {
        return data(
          api.PATCH('/api/general/notification-box/check-all/{type}', { params: { path: { type: which.type } } }),
        )
      }
      const ids = [...which.ids].map((id) => ({ id, type: which.kinds?.get(id) ?? null }))
      return data(api.PATCH('/api/general/notification-box/check', { body: { ids } }))
    },
    onMutate: async (which) => {
      await client.cancelQueries({ queryKey: keys.notifications.all })
      note(client, which)
    },
    onError: () =>
      Promise.all([client.invalidateQueries({ queryKey: BOX_KEY }), client.invalidateQueries({ queryKey: HISTORY })]),
    onSettled: () => client.invalidateQueries({ queryKey: countsQuery().queryKey }),
  })
}
