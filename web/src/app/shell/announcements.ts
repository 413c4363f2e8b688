import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Announcements } from '@/shared/api/types'
import { local } from '@/shared/lib/storage'

/** Ids of the announcements that this browser has shown. */
const SEEN = 'vg.announcementsSeen'
const KEPT = 100

/** What visitors are told, and which workflows do not work for the time being. */
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

/** Remembers that these were shown, so that they do not open again by themselves. */
export function markSeen(ids: string[]): void {
  const news = ids.filter((id) => !seenIds().includes(id))
  if (news.length === 0) return
  seen = [...news, ...seenIds()].slice(0, KEPT)
  local.set(SEEN, JSON.stringify(seen))
  for (const listener of listeners) listener()
}

/** The announcements of now, and those among them that this browser has not shown yet. */
export function useUnseen() {
  const { data: told } = useQuery(announcementsQuery())
  const known = useSyncExternalStore(subscribe, seenIds)
  const all = told?.items ?? []
  return { all, unseen: all.filter((one) => !known.includes(one._id)) }
}
