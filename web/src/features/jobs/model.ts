import type { TFunction } from 'i18next'
import type { Job, JobOutput, JobProgress, JobQueue, JobStatus, JobStatusName } from '@/shared/api/types'
import { formatDuration } from '@/shared/lib/format'
import type { ChipTone } from '@/shared/ui/chip'

const ACTIVE = new Set<JobStatusName>(['Pending', 'Connecting', 'Connected', 'Running'])

/** Whether a job can still change its status. */
export const isActive = (status: JobStatusName): boolean => ACTIVE.has(status)

export const RUNNING_REFRESH_MS = 4000

export const chipTone = (status: JobStatusName): ChipTone => {
  if (isActive(status)) return 'live'
  if (status === 'Done') return 'good'
  return status === 'Canceled' ? 'plain' : 'bad'
}

/** The state of a watched job. `share` is its progress from 0 to 1 and never decreases within a run. */
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

export const initialJob = (id: string): LiveJob => ({
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

/** The done part of the work: finished nodes plus the step of the current one. Null if unknown. */
export function shareOf(progress: JobProgress): number | null {
  if (progress.nodesTotal <= 0) return progress.max > 0 ? clamp(progress.value / progress.max) : null
  const step = progress.max > 0 && progress.nodesDone < progress.nodesTotal ? clamp(progress.value / progress.max) : 0
  return clamp((progress.nodesDone + step) / progress.nodesTotal)
}

const clamp = (share: number) => Math.min(1, Math.max(0, share))

const PREVIEW_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp'])

export function applyEvent(job: LiveJob, event: LiveEvent): LiveJob {
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
  // A late answer of a poll must not reactivate a finished job.
  if (job.status && !isActive(job.status.status) && isActive(status.status)) return job
  // A job that lost its worker starts again, and so does its progress.
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

/** The message of the exception: the node's for ExecuteError, the validation's for others. */
export function exceptionMessage(status: JobStatus): string | undefined {
  const message =
    status.status === 'ExecuteError' ? status.executeException?.exception_message : status.validateException?.message
  return message ?? status.executeException?.exception_message ?? undefined
}

/** Technical details: the node, the traceback, the rejected inputs. */
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

/** Kinds of output in display order. */
const OUTPUT_KINDS = ['images', 'gifs', 'audio', 'text', 'files'] as const

/** Whether the output has a type that this page cannot show. */
export const isUnsupported = (output: JobOutput): boolean =>
  !OUTPUT_KINDS.some((kind) => (output.outputs[kind]?.length ?? 0) > 0) && (output.undelivered?.length ?? 0) === 0

export const extensionOf = (url: string): string =>
  /\.([a-z0-9]{1,5})(?:$|[?#])/i.exec(url)?.[1]?.toLowerCase() ?? 'bin'

/** Neighbouring jobs of one batch; a single job is a group of its own. */
type JobGroup = { batch: string | null; jobs: Job[] }

export function groupByBatch(jobs: Job[]): JobGroup[] {
  const groups: JobGroup[] = []
  for (const job of jobs) {
    const batch = job.batch ?? null
    const last = groups.at(-1)
    if (batch && last?.batch === batch) last.jobs.push(job)
    else groups.push({ batch, jobs: [job] })
  }
  return groups
}

/** Queue positions above this are not counted. */
const MAX_POSITION = 1000

/** The node and the step of a running job. */
export function runningText({ progress }: LiveJob, t: TFunction<'jobs'>): string {
  if (!progress) return ''
  const parts = [progress.nodeTitle]
  if (progress.nodesTotal > 1) {
    const done = Math.min(progress.nodesDone + 1, progress.nodesTotal)
    parts.push(t('display.node', { done, total: progress.nodesTotal }))
  }
  if (progress.max > 1) parts.push(t('display.step', { value: progress.value, max: progress.max }))
  return parts.filter(Boolean).join(' · ')
}

/** The place of a waiting job in the queue, and when it starts. */
export function queueText({ queue }: LiveJob, t: TFunction<'jobs'>): string {
  if (!queue) return ''
  const place =
    queue.position <= 1
      ? t('display.next')
      : t('display.queue', { position: queue.position > MAX_POSITION ? `${MAX_POSITION}+` : queue.position })
  if (!queue.etaSeconds) return place
  const low = formatDuration(Math.round(queue.etaSeconds.low) * 1000)
  const high = formatDuration(Math.round(queue.etaSeconds.high) * 1000)
  return `${place} · ${low === high ? t('display.etaOne', { low }) : t('display.eta', { low, high })}`
}
