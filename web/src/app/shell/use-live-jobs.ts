import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { keys } from '@/shared/api/keys'
import { useQuietStream } from '@/shared/api/use-quiet-stream'

const TYPES = ['job.created', 'job.started', 'job.done', 'job.failed', 'job.canceled']
/** Events of a batch come close together; one round of questions answers for all that came within this time. */
export const JOB_EVENTS_WAIT_MS = 400
/** A list deeper than this is not loaded again under its reader; it is only marked as stale. */
const PAGES_RELOADED = 3

/**
 * Listens to events of the account's jobs, wherever they are sent from, and renews what shows them: the balance, lists
 * of jobs, batches.
 */
export function useLiveJobs(active: boolean): void {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const opened = useRef(false)
  const renewSoon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void renew(client)
    }, JOB_EVENTS_WAIT_MS)
  }, [client])
  const open = useCallback(() => {
    const source = new EventSource(`/api/general/event?after=latest&types=${TYPES.join(',')}`)
    // A stream that opens again may have missed events.
    source.addEventListener('begin', () => {
      if (opened.current) renewSoon()
      opened.current = true
    })
    source.addEventListener('event', renewSoon)
    return source
  }, [renewSoon])
  useQuietStream(active, open)
  useEffect(() => () => clearTimeout(timer.current), [])
}

async function renew(client: QueryClient): Promise<void> {
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
