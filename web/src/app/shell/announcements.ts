import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Announcements } from '@/shared/api/types'
import { local } from '@/shared/lib/storage'

const SEEN = 'vg.announcementsSeen'
const KEPT = 100

/** Announcements, and workflows that currently do not work. */
export const announcementsQuery = () =>
  queryOptions({
    queryKey: keys.announcements,
    queryFn: ({ signal }): Promise<Announcements> => data(api.GET('/api/public/announcement', { signal })),
    staleTime: 300_000,
  })

let seen: string[] | null = null
const listeners = new Set<() => void>()
const seenIds = (): string[] => {
  seen ??= local.getJson<string[]>(SEEN) ?? []
  return seen
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function markSeen(ids: string[]): void {
  const news = ids.filter((id) => !seenIds().includes(id))
  if (news.length === 0) return
  seen = [...news, ...seenIds()].slice(0, KEPT)
  local.set(SEEN, JSON.stringify(seen))
  for (const listener of listeners) listener()
}

export function useUnseen() {
  const { data: announcements } = useQuery(announcementsQuery())
  const known = useSyncExternalStore(subscribe, seenIds)
  const all = announcements?.items ?? []
  return { all, unseen: all.filter((one) => !known.includes(one._id)) }
}
