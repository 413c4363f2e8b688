import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type { CursorPage, Notice, Notification, NotificationType } from '@/shared/api/types'
import {
  type Counts,
  checked,
  countedDown,
  type Filter,
  type NoticeDraft,
  type NoticePages,
  once,
  PAGE,
  REFETCH_MS,
  type Which,
} from './model'

type HistoryPage = { items: Notification[]; pagination: { currentPage: number; totalPages: number } }

const BOX = ['notifications', 'box'] as const
const HISTORY = ['notifications', 'history'] as const

/** How many are unread, in all and of each type. */
export const countsQuery = () =>
  queryOptions({
    queryKey: ['notifications', 'counts'] as const,
    queryFn: ({ signal }): Promise<Counts> => data(api.GET('/api/general/notification-box/count-all', { signal })),
    refetchInterval: REFETCH_MS,
  })

/** The newest ones, for the box below the bell. */
export const boxQuery = (type: Filter) =>
  queryOptions({
    queryKey: [...BOX, type] as const,
    queryFn: async ({ signal }): Promise<Notification[]> => {
      const path = { type, limit: PAGE }
      const found = await data<{ items: Notification[] }>(
        api.GET('/api/general/notification-box/list/{type}/{limit}', { params: { path }, signal }),
      )
      return found.items
    },
    refetchInterval: REFETCH_MS,
    placeholderData: keepPreviousData,
  })

/** All there ever were, in pages. */
export const historyQuery = (type: Filter) =>
  infiniteQueryOptions({
    queryKey: [...HISTORY, type] as const,
    queryFn: ({ pageParam, signal }): Promise<HistoryPage> => {
      const query = { type, limit: PAGE, skip: pageParam, sort: -1 }
      return data<HistoryPage>(api.GET('/api/general/notification-box/history', { params: { query }, signal }))
    },
    initialPageParam: 0,
    getNextPageParam: ({ pagination }) =>
      pagination.currentPage < pagination.totalPages ? pagination.currentPage * PAGE : undefined,
    select: ({ pages }) => once(pages),
  })

/** Something new came: the box is asked for anew; an open history is not, or it would jump. */
export async function hearOf(client: QueryClient, count: number): Promise<void> {
  if (client.getQueryData(countsQuery().queryKey)?.count === count) return
  await Promise.all([
    client.invalidateQueries({ queryKey: countsQuery().queryKey }),
    client.invalidateQueries({ queryKey: BOX }),
  ])
}

/** Notes in every list that they are seen. Gives back those that were not until now. */
function note(client: QueryClient, which: Which): void {
  const now = new Date().toISOString()
  const seen = new Map<string, Notification>()
  const look = (items: Notification[]) => {
    const after = checked(items, which, now)
    for (const [index, one] of items.entries()) if (after[index] !== one) seen.set(one._id, one)
    return after
  }
  client.setQueriesData<Notification[]>({ queryKey: BOX }, (held) => held && look(held))
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
      await client.cancelQueries({ queryKey: ['notifications'] })
      note(client, which)
    },
    onError: () =>
      Promise.all([client.invalidateQueries({ queryKey: BOX }), client.invalidateQueries({ queryKey: HISTORY })]),
    onSettled: () => client.invalidateQueries({ queryKey: countsQuery().queryKey }),
  })
}

/** The types that letters are sent about. */
export const alertsQuery = () =>
  queryOptions({
    queryKey: ['notifications', 'alerts'] as const,
    queryFn: async ({ signal }): Promise<NotificationType[]> =>
      (await data<{ mailedTypes: NotificationType[] }>(api.GET('/api/general/notification-settings', { signal })))
        .mailedTypes,
  })

export function useSetAlerts() {
  const client = useQueryClient()
  const key = alertsQuery().queryKey
  return useMutation({
    mutationFn: (mailedTypes: NotificationType[]) =>
      data<{ mailedTypes: NotificationType[] }>(
        api.PATCH('/api/general/notification-settings', { body: { mailedTypes } }),
      ),
    onMutate: async (mailedTypes) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData(key)
      client.setQueryData(key, mailedTypes)
      return { before }
    },
    onError: (_error, _types, context) => client.setQueryData(key, context?.before),
    onSuccess: ({ mailedTypes }) => client.setQueryData(key, mailedTypes),
  })
}

/** Ends the letters by the code of one. */
export function useUnsubscribe() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => api.POST('/api/public/unsubscribe', { body: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery().queryKey }),
  })
}

const NOTICES = ['notifications', 'notices'] as const

/** What was told to everybody, newest first; for admins. */
export const noticesQuery = () =>
  infiniteQueryOptions({
    queryKey: NOTICES,
    queryFn: ({ pageParam, signal }): Promise<CursorPage<Notice>> =>
      data(
        api.GET('/api/admin/notice', {
          params: { query: pageParam ? { limit: PAGE, cursor: pageParam } : { limit: PAGE } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.items),
  })

export function useSendNotice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NoticeDraft): Promise<Notice> => data(api.POST('/api/admin/notice', { body })),
    onSuccess: (notice) =>
      client.setQueryData<NoticePages>(NOTICES, (held) => {
        const [first, ...others] = held?.pages ?? []
        return held && first && { ...held, pages: [{ ...first, items: [notice, ...first.items] }, ...others] }
      }),
  })
}

export function useDeleteNotice() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/admin/notice/{id}', { params: { path: { id } } }),
    onSuccess: (_answer, id) => {
      client.setQueryData<NoticePages>(
        NOTICES,
        (held) =>
          held && {
            ...held,
            pages: held.pages.map((page) => ({ ...page, items: page.items.filter((one) => one._id !== id) })),
          },
      )
    },
  })
}
