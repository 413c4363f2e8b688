import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { type BanDraft, penalty } from '@/features/moderation'
import { api, data } from '@/shared/api/client'
import type { CursorPage, Person, PersonDetail, Sighting } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** People whose name or address begins with this word, or whose id it is; everybody for an empty one. */
export const peopleQuery = (keyword: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'list', keyword] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 30, ...(keyword && { keyword }), ...(pageParam && { cursor: pageParam }) }
      return data<CursorPage<Person>>(api.GET('/api/admin/user', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (pages) => pages.pages.flatMap((page) => page.items),
  })

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', 'one', id] as const,
    queryFn: ({ signal }) => data<PersonDetail>(api.GET('/api/admin/user/{id}', { params: { path: { id } }, signal })),
  })

/** Sessions of everybody, or those of one address. */
export const sightingsQuery = (address: string) =>
  infiniteQueryOptions({
    queryKey: ['people', 'sightings', address] as const,
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: 50, ...(address && { address }), ...(pageParam && { cursor: pageParam }) }
      return data<CursorPage<Sighting>>(api.GET('/api/admin/session', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (pages) => pages.pages.flatMap((page) => page.items),
  })

/** Every change of a person makes what is shown of people stale. */
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

export const useSetRole = (id: string) =>
  usePersonChange((isAdmin: boolean) =>
    data(api.PATCH('/api/admin/user/{id}/role', { params: path(id), body: { isAdmin } })),
  )
