import type { Job, JobOutput, JobProgress, JobQueue, JobStatus, JobStatusName } from '@/shared/api/types'
import type { ChipTone } from '@/shared/ui/chip'

const ACTIVE = new Set<JobStatusName>(['Pending', 'Connecting', 'Connected', 'Running'])

/** A job in one of these statuses can still change; all others are final. */
export const isActive = (status: JobStatusName): boolean => ACTIVE.has(status)

/** How often a list is asked for anew while something in it moves. */
export const RUNNING_REFRESH_MS = 4000

export const chipTone = (status: JobStatusName): ChipTone => {
  if (isActive(status)) return 'live'
  if (status === 'Done') return 'good'
  return status === 'Canceled' ? 'plain' : 'bad'
}

/** What is known of a job that is being watched. `share` is its progress from 0 to 1 and never goes back within a run. */
export type LiveJob = {
  id: string
  status: JobStatus | null
  queue: JobQueue | null
  progress: JobProgress | null
  preview: string | null
  outputs: JobOutput[] | null
  share: number | null
  transport: 'events' | 'polling'
  problem: unknown
}

export type LiveEvent =
  | { type: 'status'; data: JobStatus }
  | { type: 'queue'; data: JobQueue }
  | { type: 'progress'; data: JobProgress }
  | { type: 'preview'; data: { contentType: string; data: string } }
  | { type: 'outputs'; data: JobOutput[] }
  | { type: 'transport'; data: 'events' | 'polling' }
  | { type: 'problem'; data: unknown }

export const watching = (id: string): LiveJob => ({
  id,
  status: null,
  queue: null,
  progress: null,
  preview: null,
  outputs: null,
  share: null,
  transport: 'events',
  problem: null,
})

/** The part of the work that is done: finished nodes plus the step of the one that runs. Null when nothing is known. */
export function shareOf(progress: JobProgress): number | null {
  if (progress.nodesTotal <= 0) return progress.max > 0 ? clamp(progress.value / progress.max) : null
  const step = progress.max > 0 && progress.nodesDone < progress.nodesTotal ? clamp(progress.value / progress.max) : 0
  return clamp((progress.nodesDone + step) / progress.nodesTotal)
}

const clamp = (share: number) => Math.min(1, Math.max(0, share))

const PREVIEW_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp'])

export function follow(job: LiveJob, event: LiveEvent): LiveJob {
  switch (event.type) {
    case 'status':
      return withStatus(job, event.data)
    case 'queue':
      return { ...job, queue: event.data }
    case 'progress':
      return withProgress(job, event.data)
    case 'preview':
      if (!PREVIEW_TYPES.has(event.data.contentType)) return job
      return { ...job, preview: `data:${event.data.contentType};base64,${event.data.data}` }
    case 'outputs':
      return { ...job, outputs: event.data }
    case 'transport':
      return { ...job, transport: event.data }
    case 'problem':
      return { ...job, problem: event.data }
  }
}

function withStatus(job: LiveJob, status: JobStatus): LiveJob {
  // What is final stays final: a late answer of a poll must not bring a finished job back.
  if (job.status && !isActive(job.status.status) && isActive(status.status)) return job
  // A job that was lost with its worker starts again, and so does its progress.
  const restarted = job.status?.status === 'Running' && status.status !== 'Running' && isActive(status.status)
  const fresh = restarted ? { ...job, progress: null, share: null, preview: null } : job
  const known = {
    ...fresh,
    status,
    problem: null,
    queue: status.status === 'Pending' ? (status.queue ?? job.queue) : null,
  }
  return status.progress && isActive(status.status) ? withProgress(known, status.progress) : known
}

function withProgress(job: LiveJob, progress: JobProgress): LiveJob {
  const share = shareOf(progress)
  return { ...job, progress, share: share === null ? job.share : Math.max(job.share ?? 0, share) }
}

/** The sentence of the exception that ended a job: the node's own for ExecuteError, the check's for the others. */
export function exceptionMessage(status: JobStatus): string | undefined {
  const message =
    status.status === 'ExecuteError' ? status.executeException?.exception_message : status.validateException?.message
  return message ?? status.executeException?.exception_message ?? undefined
}

/** Technical lines for those who want them: the node, the traceback, the refused inputs. */
export function exceptionDetails(status: JobStatus): string | undefined {
  const lines: string[] = []
  const raised = status.executeException
  if (raised?.node_type)
    lines.push(`${raised.exception_type ?? ''} @ ${raised.node_type} #${raised.node_id ?? ''}`.trim())
  if (Array.isArray(raised?.traceback)) lines.push(raised.traceback.join(''))
  else if (typeof raised?.traceback === 'string') lines.push(raised.traceback)
  const refused = status.validateException?.node_errors
  if (refused && Object.keys(refused).length > 0) lines.push(JSON.stringify(refused, null, 2))
  return lines.length > 0 ? lines.join('\n') : undefined
}

/** Kinds of output in the order in which they are shown. */
export const OUTPUT_KINDS = ['images', 'gifs', 'audio', 'text', 'files'] as const

/** True when a node gave something that this page has no way to show. */
export const isUnsupported = (output: JobOutput): boolean =>
  !OUTPUT_KINDS.some((kind) => (output.outputs[kind]?.length ?? 0) > 0) && (output.undelivered?.length ?? 0) === 0

/** The ending of a file's address, without the query. */
export const extensionOf = (url: string): string =>
  /\.([a-z0-9]{1,5})(?:$|[?#])/i.exec(url)?.[1]?.toLowerCase() ?? 'bin'

/** Jobs of one batch that stand beside each other in a list; a job of its own stands alone. */
export type JobGroup = { batch: string | null; jobs: Job[] }

/** Puts neighbours of one batch together, in the order of the list. */
export function grouped(jobs: Job[]): JobGroup[] {
  const groups: JobGroup[] = []
  for (const job of jobs) {
    const batch = job.batch ?? null
    const last = groups.at(-1)
    if (batch && last?.batch === batch) last.jobs.push(job)
    else groups.push({ batch, jobs: [job] })
  }
  return groups
}
