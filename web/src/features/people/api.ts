import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { type BanDraft, penalty } from '@/features/moderation'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'

export const peopleQuery = (keyword: string) =>
  cursorQuery([...keys.people.list, keyword], (next, signal) =>
    data(
      api.GET('/api/admin/user', { params: { query: { limit: 30, ...(keyword && { keyword }), ...next } }, signal }),
    ),
  )

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.people.one, id] as const,
    queryFn: ({ signal }) => data(api.GET('/api/admin/user/{id}', { params: { path: { id } }, signal })),
  })

/** All sessions, or those of one IP address. */
export const sightingsQuery = (address: string) =>
  cursorQuery([...keys.people.sightings, address], (next, signal) =>
    data(
      api.GET('/api/admin/session', { params: { query: { limit: 50, ...(address && { address }), ...next } }, signal }),
    ),
  )

/** Every change of a person invalidates all queries about people. */
function usePersonChange<Change, Answer>(change: (value: Change) => Promise<Answer>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => {
      for (const key of ['people', 'moderation', 'audit']) void client.invalidateQueries({ queryKey: [key] })
    },
  })
}

const path = (id: string) => ({ path: { id } })

export const useBan = (id: string) =>
  usePersonChange((ban: BanDraft) =>
    data(api.POST('/api/admin/user/{id}/ban', { params: path(id), body: penalty(ban) })),
  )

export const useUnban = (id: string) =>
  usePersonChange((_: undefined) => api.DELETE('/api/admin/user/{id}/ban', { params: path(id) }))

export const useWarn = (id: string) =>
  usePersonChange((text: string) => api.POST('/api/admin/user/{id}/warning', { params: path(id), body: { text } }))

/** Confirms an address on behalf of its owner. */
export const useConfirmAddress = (id: string) =>
  usePersonChange((_: undefined) => data(api.POST('/api/admin/user/{id}/confirm', { params: path(id) })))

export const useGrant = (id: string) =>
  usePersonChange((grant: { amount: number; reason: string; expiresAt?: string }) =>
    data(api.POST('/api/admin/credit/grant', { body: { user: id, ...grant } })),
  )

/** Gives a plan until the end of a day, or without an end. */
export const useGivePlan = (id: string) =>
  usePersonChange((body: { plan: string; until: string | null }) =>
    data(api.PUT('/api/admin/user/{id}/plan', { params: path(id), body })),
  )

export const useSetRole = (id: string) =>
  usePersonChange((isAdmin: boolean) =>
    data(api.PATCH('/api/admin/user/{id}/role', { params: path(id), body: { isAdmin } })),
  )
