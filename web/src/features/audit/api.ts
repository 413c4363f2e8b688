import { queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import { type AuditQuestion, toQuery } from './model'

/** What admins did, newest first. */
export const auditQuery = (asked: AuditQuestion) =>
  cursorQuery([...keys.audit.list, asked], (next, signal) =>
    data(api.GET('/api/admin/audit', { params: { query: { limit: 50, ...toQuery(asked), ...next } }, signal })),
  )

/** The name of an admin whose lines are shown. */
export const adminCardQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.audit.admin, userId] as const,
    queryFn: ({ signal }) => data(api.GET('/api/public/user/{userId}', { params: { path: { userId } }, signal })),
  })
