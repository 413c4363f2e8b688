import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { keys } from '@/shared/api/keys'
import { useBackgroundStream } from '@/shared/api/use-background-stream'

/** Keeps jobs and credits up to date. Renders nothing. */
export default function LiveJobs() {
  useLiveJobs(true)
  return null
}

const TYPES = ['job.created', 'job.started', 'job.done', 'job.failed', 'job.canceled']
/** Events of a batch arrive close together. One refetch covers all events within this time. */
const JOB_EVENTS_WAIT_MS = 400
/** Lists with more loaded pages are only marked stale, so that they do not jump. */
const PAGES_RELOADED = 3

/** Listens to job events of the account and refreshes balance, job lists and batches. */
export function useLiveJobs(active: boolean): void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const opened = useRef(false)
  const refreshSoon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void refresh(client)
    }, JOB_EVENTS_WAIT_MS)
  }, [client])
  const open = useCallback(() => {
    const source = new EventSource(`/api/general/event?after=latest&types=${TYPES.join(',')}`)
    // Events may have been missed before the stream was opened again.
    source.addEventListener('begin', () => {
      if (opened.current) refreshSoon()
      opened.current = true
    })
    source.addEventListener('event', refreshSoon)
    return source
  }, [refreshSoon])
  useBackgroundStream(active, open)
  useEffect(() => () => clearTimeout(timer.current), [])
}

async function refresh(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.auth.user }),
    client.invalidateQueries({ queryKey: keys.credits.all }),
    client.invalidateQueries({ queryKey: keys.jobs.batch }),
    client.invalidateQueries({
      queryKey: keys.jobs.list,
      predicate: ({ state }) =>
        ((state.data as InfiniteData<unknown> | undefined)?.pages?.length ?? 0) <= PAGES_RELOADED,
    }),
    client.invalidateQueries({ queryKey: keys.jobs.list, refetchType: 'none' }),
  ])
}
