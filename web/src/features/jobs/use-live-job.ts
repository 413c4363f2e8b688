import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import { fetchOutputs, fetchStatus, patchJob, settleJob } from './api'
import { follow, isActive, type LiveEvent, type LiveJob, watching } from './model'
import { watchJob } from './watch'

const reduce = (job: LiveJob | null, event: LiveEvent | { type: 'watch'; id: string | null }): LiveJob | null => {
  if (event.type === 'watch') return event.id ? watching(event.id) : null
  return job && follow(job, event)
}

/** Follows a job as long as the component is shown. Null while there is none. */
export function useLiveJob(id: string | null): LiveJob | null {
  const client = useQueryClient()
  const [job, dispatch] = useReducer(reduce, id ? watching(id) : null)
  useEffect(() => {
    dispatch({ type: 'watch', id })
    if (!id) return
    return watchJob(
      id,
      (event) => {
        dispatch(event)
        if (event.type !== 'status') return
        patchJob(client, id, { status: event.data.status })
        if (!isActive(event.data.status)) void settleJob(client, id)
      },
      {
        openEvents: (job) => new EventSource(`/api/general/job/${encodeURIComponent(job)}/events`),
        fetchStatus,
        fetchOutputs,
      },
    )
  }, [id, client])
  return job?.id === id ? job : id ? watching(id) : null
}
