import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { acquireStream } from '@/shared/api/tab-stream'
import { fetchOutputs, fetchStatus, patchJob, refreshEndedJob } from './api'
import { applyEvent, initialJob, isActive, type LiveEvent, type LiveJob } from './model'
import { watchJob } from './watch'

const reduce = (job: LiveJob | null, event: LiveEvent | { type: 'watch'; id: string | null }): LiveJob | null => {
  if (event.type === 'watch') return event.id ? initialJob(event.id) : null
  return job && applyEvent(job, event)
}

/** Watches a job while the component is mounted. `again` reconnects after a problem. */
export function useLiveJob(id: string | null): { job: LiveJob | null; again: () => void } {
  const client = useQueryClient()
  const [tries, setTries] = useState(0)
  const again = useCallback(() => setTries((before) => before + 1), [])
  const [job, dispatch] = useReducer(reduce, id ? initialJob(id) : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry reconnects.
  useEffect(() => {
    dispatch({ type: 'watch', id })
    if (!id) return
    const giveBack = acquireStream()
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
        openEvents: (job) => new EventSource(`/api/general/job/${encodeURIComponent(job)}/events`),
        fetchStatus,
        fetchOutputs,
      },
    )
    return () => {
      stop()
      giveBack()
    }
  }, [id, client, tries])
  return { job: job?.id === id ? job : id ? initialJob(id) : null, again }
}
