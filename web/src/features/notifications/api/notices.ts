import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { dropItem } from '@/shared/api/patch-item'
import type { Notice } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type NoticeDraft, type NoticePages, PAGE } from '../model'

const NOTICES = keys.notifications.notices

export const noticesQuery = () =>
  cursorQuery(NOTICES, (next, signal) =>
    data(api.GET('/api/admin/notice', { params: { query: { limit: PAGE, ...next } }, signal })),
  )

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
      dropItem(client, CACHED_ITEMS.notice, id)
      // The admin's own inbox had the notice too.
      return client.invalidateQueries({
        queryKey: keys.notifications.all,
        predicate: ({ queryKey }) => queryKey[1] !== NOTICES[1],
      })
    },
  })
}
