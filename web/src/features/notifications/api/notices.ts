import { useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import type { Notice } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type NoticeDraft, type NoticePages, PAGE } from '../model'

const NOTICES = ['notifications', 'notices'] as const

/** What was told to everybody, newest first; for admins. */
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
      client.setQueryData<NoticePages>(
        NOTICES,
        (held) =>
          held && {
            ...held,
            pages: held.pages.map((page) => ({ ...page, items: page.items.filter((one) => one._id !== id) })),
          },
      )
      // It is out of one's own box as well, and counts there no more.
      return client.invalidateQueries({
        queryKey: ['notifications'],
        predicate: ({ queryKey }) => queryKey[1] !== NOTICES[1],
      })
    },
  })
}
