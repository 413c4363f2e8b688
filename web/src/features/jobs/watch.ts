import { ApiError } from '@/shared/api/errors'
import type { JobOutput, JobStatus } from '@/shared/api/types'
import { isActive, type LiveEvent } from './model'

/** How often the status is asked for while live events are missing, and how long asking goes on after the end. */
export const POLL_INTERVAL_MS = 2000
export const POLL_STOP_DELAY_MS = 1000

export type WatchPorts = {
  openEvents: (id: string) => EventSource
  fetchStatus: (id: string) => Promise<JobStatus>
  fetchOutputs: (id: string) => Promise<JobOutput[]>
}

const KINDS = ['status', 'queue', 'progress', 'preview', 'outputs'] as const

/**
 * Watches one job to its end: by server-sent events, and by asking every two seconds while they are interrupted.
 * Returns the function that stops watching. After a final status the outputs have been told before the status is.
 */
export function watchJob(id: string, tell: (event: LiveEvent) => void, ports: WatchPorts): () => void {
  let stopped = false
  let ended = false
  let outputsTold = false
  let poll: ReturnType<typeof setTimeout> | undefined
  let end: ReturnType<typeof setTimeout> | undefined
  const source = ports.openEvents(id)

  const stop = () => {
    stopped = true
    source.close()
    clearTimeout(poll)
    clearTimeout(end)
  }

  const onStatus = (status: JobStatus) => {
    if (stopped) return
    tell({ type: 'status', data: status })
    if (isActive(status.status) || ended) return
    ended = true
    source.close()
    if (status.status === 'Done' && !outputsTold) void askOutputs()
    end = setTimeout(() => clearTimeout(poll), POLL_STOP_DELAY_MS)
  }

  const askOutputs = async (): Promise<void> => {
    try {
      const outputs = await ports.fetchOutputs(id)
      if (!stopped) tell({ type: 'outputs', data: outputs })
    } catch (error) {
      if (!stopped) tell({ type: 'problem', data: error })
    }
  }

  const ask = async (): Promise<void> => {
    try {
      onStatus(await ports.fetchStatus(id))
    } catch (error) {
      if (stopped) return
      // A job that is not there, or not ours, will not come; everything else may be better in two seconds.
      const final = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
      if (final) {
        tell({ type: 'problem', data: error })
        stop()
        return
      }
    }
    if (!stopped && !ended) poll = setTimeout(() => void ask(), POLL_INTERVAL_MS)
  }

  source.onopen = () => {
    clearTimeout(poll)
    poll = undefined
    tell({ type: 'transport', data: 'events' })
  }
  source.onerror = () => {
    if (stopped || ended || poll !== undefined) return
    tell({ type: 'transport', data: 'polling' })
    poll = setTimeout(() => void ask(), 0)
  }
  for (const kind of KINDS) {
    source.addEventListener(kind, (message) => {
      const data = parse((message as MessageEvent<string>).data)
      if (stopped || data === undefined) return
      if (kind === 'status') return onStatus(data as JobStatus)
      if (kind === 'outputs') outputsTold = true
      tell({ type: kind, data } as LiveEvent)
    })
  }
  return stop
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
