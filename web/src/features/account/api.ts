import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { endChat } from '@/features/support-chat'
import { api, data } from '@/shared/api/client'
import type { ApiKey, Balance, CreatedApiKey, CursorPage, LedgerEntry, Session } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

export const apiKeysQuery = () =>
  queryOptions({
    queryKey: ['account', 'keys'] as const,
    queryFn: ({ signal }) => data<{ items: ApiKey[] }>(api.GET('/api/general/api-key', { signal })),
    select: (list) => list.items,
  })

export function useCreateKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => data<CreatedApiKey>(api.POST('/api/general/api-key', { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account', 'keys'] }),
  })
}

export function useRevokeKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/api-key/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account', 'keys'] }),
  })
}

export const sessionsQuery = () =>
  queryOptions({
    queryKey: ['account', 'sessions'] as const,
    queryFn: ({ signal }) => data<{ items: Session[] }>(api.GET('/api/auth/me/session', { signal })),
    select: (list) => list.items,
  })

/** Ends one session, or with `others` all but this one. */
export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | 'others') =>
      id === 'others'
        ? api.DELETE('/api/auth/me/session')
        : api.DELETE('/api/auth/me/session/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['account', 'sessions'] }),
  })
}

/** Everything that is kept about the user, as a file. */
export function useExport() {
  return useMutation({
    mutationFn: () => data<Blob>(api.GET('/api/auth/me/export', { parseAs: 'blob' })),
  })
}

/** Deletes the account. The page starts anew, so that nothing of it stays in memory. */
export function useLeave() {
  return useMutation({
    mutationFn: (body: { password: string } | { name: string }) => api.DELETE('/api/auth/me', { body }),
    onSuccess: () => {
      endChat()
      window.location.assign('/')
    },
  })
}

export const balanceQuery = () =>
  queryOptions({
    queryKey: ['account', 'credits', 'balance'] as const,
    queryFn: ({ signal }) => data<Balance>(api.GET('/api/general/credit', { signal })),
    staleTime: 0,
  })

export const statementQuery = () =>
  infiniteQueryOptions({
    queryKey: ['account', 'credits', 'entries'] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<LedgerEntry>>(
        api.GET('/api/general/credit/entries', {
          params: { query: { limit: 20, ...(pageParam && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (pages) => pages.pages.flatMap((page) => page.items),
    staleTime: 0,
  })
