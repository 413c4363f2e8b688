import { keepPreviousData, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { numberedQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { Notification, NotificationType, PageNumbers } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { uniqueById } from '@/shared/lib/unique-by-id'
import { type Filter, markSeen, PAGE, reduceCounts, type SeenSelection } from '../model'
import { REFETCH_MS } from '../unread'
import { countsQuery, INBOX_KEY } from './counts'

type Inbox = { items: Notification[] }
type HistoryPage = Inbox & { pagination: PageNumbers }

const HISTORY = keys.notifications.history

/** The newest notifications, for the inbox. Refetches the badge, which counts the same. */
export const inboxQuery = (type: Filter) =>
  queryOptions({
    queryKey: [...INBOX_KEY, type] as const,
    queryFn: async ({ signal }): Promise<Notification[]> => {
      const path = { type, limit: PAGE }
      const found: Promise<Inbox> = data(
        api.GET('/api/general/notification-box/list/{type}/{limit}', { params: { path }, signal }),
      )
      return (await found).items
    },
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })

export const historyQuery = (type: Filter) =>
  numberedQuery(
    [...HISTORY, type] as const,
    (page, signal): Promise<HistoryPage> => {
      const query = { type, limit: PAGE, skip: (page - 1) * PAGE, sort: -1 } as const
      return data(api.GET('/api/general/notification-box/history', { params: { query }, signal }))
    },
    ({ pages }) => uniqueById(pages.flatMap((page) => page.items)),
  )

/** Marks notifications as seen in every loaded list, and reduces the counts. */
function markInLists(client: QueryClient, which: SeenSelection): void {
  const now = new Date().toISOString()
  const seen = new Map<string, Notification>()
  const look = (items: Notification[]) => {
    const after = markSeen(items, which, now)
    for (const [index, one] of items.entries()) if (after[index] !== one) seen.set(one._id, one)
    return after
  }
  client.setQueriesData<Notification[]>({ queryKey: INBOX_KEY }, (held) => held && look(held))
  client.setQueriesData<{ pages: HistoryPage[]; pageParams: unknown[] }>(
    { queryKey: HISTORY },
    (held) => held && { ...held, pages: held.pages.map((page) => ({ ...page, items: look(page.items) })) },
  )
  client.setQueryData(countsQuery().queryKey, (held) => held && reduceCounts(held, which, [...seen.values()]))
}

/** Marks some notifications, or all of a type, as seen. Optimistic; the server's counts follow. */
export function useMarkSeen() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (which: SeenSelection & { kinds?: Map<string, NotificationType> }): Promise<unknown> => {
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
      markInLists(client, which)
    },
    onError: () =>
      Promise.all([client.invalidateQueries({ queryKey: INBOX_KEY }), client.invalidateQueries({ queryKey: HISTORY })]),
    onSettled: () => client.invalidateQueries({ queryKey: countsQuery().queryKey }),
  })
}
