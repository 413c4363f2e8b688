import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type { AuditEntry, CursorPage, PersonCard } from '@/shared/api/types'
import { type AuditQuestion, toQuery } from './model'

/** What admins did, newest first. */
export const auditQuery = (asked: AuditQuestion) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'list', asked] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...toQuery(asked), ...(pageParam && { cursor: pageParam }) }
      return data<CursorPage<AuditEntry>>(api.GET('/api/admin/audit', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (pages) => pages.pages.flatMap((page) => page.items),
  })

/** The name of an admin whose lines are shown. */
export const adminCardQuery = (userId: string) =>
  queryOptions({
    queryKey: ['audit', 'admin', userId] as const,
    queryFn: ({ signal }) =>
      data<PersonCard>(api.GET('/api/public/user/{userId}', { params: { path: { userId } }, signal })),
  })
