import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { endChat } from '@/features/support-chat'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import type { Balance, Ceilings, CursorPage, LedgerEntry } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type StatementFilters, toStatementQuery } from './model'

export const apiKeysQuery = () =>
  queryOptions({
    queryKey: keys.account.keys,
    queryFn: ({ signal }) => data(api.GET('/api/general/api-key', { signal })),
    select: (list) => list.items,
  })

export function useCreateKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => data(api.POST('/api/general/api-key', { body: { name } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.account.keys }),
  })
}

export function useRevokeKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/api-key/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.account.keys }),
  })
}

export const sessionsQuery = () =>
  queryOptions({
    queryKey: keys.account.sessions,
    queryFn: ({ signal }) => data(api.GET('/api/auth/me/session', { signal })),
    select: (list) => list.items,
  })

/** Ends one session, or with `others` all but the current one. */
export function useEndSession() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string | 'others') =>
      id === 'others'
        ? api.DELETE('/api/auth/me/session')
        : api.DELETE('/api/auth/me/session/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.account.sessions }),
  })
}

export function useExport() {
  return useMutation({
    mutationFn: () => data(api.GET('/api/auth/me/export', { parseAs: 'blob' })),
  })
}

/** Deletes the account and reloads the page, so that no data stays in memory. */
export function useDeleteAccount() {
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
    queryKey: keys.credits.balance,
    queryFn: ({ signal }): Promise<Balance> => data(api.GET('/api/general/credit', { signal })),
    staleTime: 0,
  })

export function useSetCeilings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Ceilings) => data(api.PUT('/api/general/credit/ceilings', { body })),
    // Prices depend on them.
    onSuccess: () =>
      Promise.all(
        [keys.credits.balance, keys.miniApps.quote, keys.editor.quote].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })
}

export const statementQuery = (filters: StatementFilters) => ({
  ...cursorQuery([...keys.credits.entries, filters], (next, signal): Promise<CursorPage<LedgerEntry>> => {
    const query = { limit: 20, ...toStatementQuery(filters), ...next }
    return data(api.GET('/api/general/credit/entries', { params: { query }, signal }))
  }),
  staleTime: 0,
})

export function statementFileUrl(filters: StatementFilters): string {
  const query = new URLSearchParams(toStatementQuery(filters)).toString()
  return `/api/general/credit/entries.csv${query && `?${query}`}`
}
