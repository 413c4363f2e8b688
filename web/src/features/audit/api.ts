import { queryOptions } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import { type AuditQuestion, toQuery } from './model'

export const auditQuery = (filters: AuditQuestion) =>
  cursorQuery([...keys.audit.list, filters], (next, signal) =>
    data(api.GET('/api/admin/audit', { params: { query: { limit: 50, ...toQuery(filters), ...next } }, signal })),
  )

export const adminCardQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.audit.admin, userId] as const,
    queryFn: ({ signal }) => data(api.GET('/api/public/user/{userId}', { params: { path: { userId } }, signal })),
  })
