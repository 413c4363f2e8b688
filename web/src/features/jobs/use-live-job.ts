import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { takeStream } from '@/shared/api/tab-stream'
import { fetchOutputs, fetchStatus, patchJob, settleJob } from './api'
import { follow, isActive, type LiveEvent, type LiveJob, watching } from './model'
import { watchJob } from './watch'

const reduce = (job: LiveJob | null, event: LiveEvent | { type: 'watch'; id: string | null }): LiveJob | null => {
  if (event.type === 'watch') return event.id ? watching(event.id) : null
  return job && follow(job, event)
}

/** Follows a job as long as the component is shown. Null while there is none. `again` begins anew after a problem. */
export function useLiveJob(id: string | null): { job: LiveJob | null; again: () => void } {
  const client = useQueryClient()
  const [tries, setTries] = useState(0)
  const again = useCallback(() => setTries((before) => before + 1), [])
  const [job, dispatch] = useReducer(reduce, id ? watching(id) : null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try watches anew.
  useEffect(() => {
    dispatch({ type: 'watch', id })
    if (!id) return
    const giveBack = takeStream()
    const stop = watchJob(
      id,
      (event) => {
        dispatch(event)
        if (event.type !== 'status') return
        patchJob(client, id, { status: event.data.status })
        if (isActive(event.data.status)) return
        giveBack()
        void settleJob(client, id)
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
  return { job: job?.id === id ? job : id ? watching(id) : null, again }
}
