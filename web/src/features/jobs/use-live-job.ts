import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { acquireStream } from '@/shared/api/tab-stream'
import { fetchOutputs, fetchStatus, patchJob, refreshEndedJob } from './api'
import { applyEvent, initialJob, isActive, type LiveEvent, type LiveJob } from './model'
import { watchJob } from './watch'

const reduce = (job: LiveJob | null, event: LiveEvent | { type: 'watch'; id: string | null }): LiveJob | null => {
  if (event.type === 'watch') {
    // Another transport or a retry continues with what is known of the same job.
    if (job && job.id === event.id) return { ...job, problem: null }
    return event.id ? initialJob(event.id) : null
  }
  return job && applyEvent(job, event)
}

/**
 * Watches a job while the component is mounted. `again` reconnects after a problem. A page that watches many jobs polls
 * most of them, because a browser opens few streams to a host.
 */
export function useLiveJob(
  id: string | null,
  transport: LiveJob['transport'] = 'events',
): { job: LiveJob | null; again: () => void } {
  const client = useQueryClient()
  const [tries, setTries] = useState(0)
  const again = useCallback(() => setTries((before) => before + 1), [])
  const [job, dispatch] = useReducer(reduce, id ? initialJob(id) : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry reconnects.
  useEffect(() => {
    dispatch({ type: 'watch', id })
    if (!id) return
    const giveBack = transport === 'events' ? acquireStream() : () => undefined
    const stop = watchJob(
      id,
      (event) => {
        dispatch(event)
        if (event.type !== 'status') return
        patchJob(client, id, { status: event.data.status })
        if (isActive(event.data.status)) return
        giveBack()
        void refreshEndedJob(client, id)
      },
      {
        openEvents:
          transport === 'events'
            ? (job) => new EventSource(`/api/general/job/${encodeURIComponent(job)}/events`)
            : null,
        fetchStatus,
        fetchOutputs,
      },
    )
    return () => {
      stop()
      giveBack()
    }
  }, [id, client, tries, transport])
  return { job: job?.id === id ? job : id ? initialJob(id) : null, again }
}
