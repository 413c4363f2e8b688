import { ApiError } from '@/shared/api/errors'
import type { JobOutput, JobStatus } from '@/shared/api/types'
import { isActive, type LiveEvent } from './model'

/** Poll interval while live events are interrupted. */
export const POLL_INTERVAL_MS = 2000
/** `EventSource.CLOSED`: the browser does not reconnect by itself. */
const CLOSED = 2

/** Delay before a refused stream is opened again and missing outputs are requested again. */
export const REOPEN_MS = 10_000
export const OUTPUTS_AGAIN_MS = [1000, 2000, 4000, 8000, 15_000]

/** Whether an error is permanent, so that a retry makes no sense. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429

type WatchPorts = {
  /** Null polls from the start. */
  openEvents: ((id: string) => EventSource) | null
  fetchStatus: (id: string) => Promise<JobStatus>
  fetchOutputs: (id: string) => Promise<JobOutput[]>
}

const KINDS = ['status', 'queue', 'progress', 'preview', 'outputs'] as const

/**
 * Watches one job to its end: by server-sent events, and by polling while they are interrupted. Returns a function that
 * stops watching. Outputs are emitted before a final status.
 */
export function watchJob(id: string, tell: (event: LiveEvent) => void, ports: WatchPorts): () => void {
  let stopped = false
  let ended = false
  let outputsTold = false
  let polling = false
  let source: EventSource | undefined
  const timers = new Set<ReturnType<typeof setTimeout>>()

  const later = (call: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      call()
    }, ms)
    timers.add(timer)
  }
  const stop = () => {
    stopped = true
    polling = false
    source?.close()
    for (const timer of timers) clearTimeout(timer)
    timers.clear()
  }

  const onStatus = (status: JobStatus) => {
    if (stopped) return
    tell({ type: 'status', data: status })
    if (isActive(status.status) || ended) return
    ended = true
    polling = false
    source?.close()
    if (status.status === 'Done' && !outputsTold) void askOutputs(0)
  }

  /** The job is done even if its outputs fail to load at first. Retries until the server refuses for good. */
  const askOutputs = async (tries: number): Promise<void> => {
    try {
      const outputs = await ports.fetchOutputs(id)
      if (!stopped) tell({ type: 'outputs', data: outputs })
    } catch (error) {
      if (stopped) return
      const pause = OUTPUTS_AGAIN_MS[tries]
      if (isFinal(error) || pause === undefined) tell({ type: 'problem', data: error })
      else later(() => void askOutputs(tries + 1), pause)
    }
  }

  const ask = async (): Promise<void> => {
    try {
      onStatus(await ports.fetchStatus(id))
    } catch (error) {
      if (stopped) return
      if (isFinal(error)) {
        tell({ type: 'problem', data: error })
        stop()
        return
      }
    }
    // Events may have resumed while the answer was pending.
    if (polling) later(() => void (polling && ask()), POLL_INTERVAL_MS)
  }

  const open = () => {
    if (stopped || ended) return
    if (!ports.openEvents) {
      polling = true
      void ask()
      return
    }
    const opened = ports.openEvents(id)
    source = opened
    opened.onopen = () => {
      polling = false
      tell({ type: 'transport', data: 'events' })
    }
    opened.onerror = () => {
      if (stopped || ended) return
      // A browser reconnects after an interruption, but not after a refusal.
      if (opened.readyState === CLOSED) later(open, REOPEN_MS)
      if (polling) return
      polling = true
      tell({ type: 'transport', data: 'polling' })
      later(() => void (polling && ask()), 0)
    }
    for (const kind of KINDS) {
      opened.addEventListener(kind, (message) => {
        const data = parse((message as MessageEvent<string>).data)
        if (stopped || data === undefined) return
        if (kind === 'status') return onStatus(data as JobStatus)
        if (kind === 'outputs') outputsTold = true
        tell({ type: kind, data } as LiveEvent)
      })
    }
  }
  open()
  return stop
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
