import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type {
  CanceledJob,
  CursorPage,
  Job,
  JobOutput,
  JobStatus,
  JobStatusName,
  Origin,
  OutputAsset,
  WaitingReason,
} from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

export type JobFilter = 'all' | 'active' | 'done' | 'failed'

/** The statuses of each filter. A canceled job is neither done nor failed. */
export const STATUSES: Record<Exclude<JobFilter, 'all'>, JobStatusName[]> = {
  active: ['Pending', 'Connecting', 'Connected', 'Running'],
  done: ['Done'],
  failed: [
    'InvalidPrompt',
    'ExecuteError',
    'ConnectError',
    'WorkerConnectError',
    'WorkerExceptionError',
    'WorkerShutdownError',
    'ExecutionTimeout',
    'ForceTimeout',
    'UnknownError',
  ],
}

export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.jobs.detail, id] as const,
    queryFn: ({ signal }): Promise<Job> => data(api.GET('/api/general/job/{id}', { params: { path: { id } }, signal })),
  })

export const jobsQuery = (filter: JobFilter, batch?: string, label?: string) =>
  cursorQuery([...keys.jobs.list, filter, batch ?? null, label ?? null], (next, signal): Promise<CursorPage<Job>> => {
    const status = filter === 'all' ? undefined : STATUSES[filter].join(',')
    const query = { limit: 20, ...next, ...(batch && { batch }), ...(label && { label }), ...(status && { status }) }
    return data(api.GET('/api/general/job', { params: { query }, signal }))
  })

/** Page size of earlier runs: small, because other content follows below. */
const RUNS = 6

/** The user's runs of one mini app, of all versions. */
export const runsQuery = (app: string) =>
  cursorQuery([...keys.jobs.list, 'of', app], (next, signal): Promise<CursorPage<Job>> => {
    const query = { limit: RUNS, workflowApi: app, ...next }
    return data(api.GET('/api/general/job', { params: { query }, signal }))
  })

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.jobs.batch, id] as const,
    queryFn: ({ signal }) => data(api.GET('/api/general/job/batch/{id}', { params: { path: { id } }, signal })),
  })

export function useCancelBatch() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => data(api.POST('/api/general/job/batch/{id}/cancel', { params: { path: { id } } })),
    onSuccess: (status, id) => {
      client.setQueryData(batchQuery(id).queryKey, status)
      return client.invalidateQueries({ queryKey: keys.jobs.list })
    },
  })
}

const CANCEL_PAGE = 100
/** Requests in parallel. */
const CANCELS_AT_ONCE = 6

/** Cancels all waiting and running jobs: batches with one call, single jobs one by one. */
async function cancelAll(): Promise<void> {
  const requested = new Set<string>()
  let cursor: string | null = null
  for (;;) {
    const status = STATUSES.active.join(',')
    const query = { limit: CANCEL_PAGE, status, ...(cursor && { cursor }) }
    const page: CursorPage<Job> = await data(api.GET('/api/general/job', { params: { query } }))
    const found = new Map(
      page.items.map((job) => (job.batch ? [job.batch, 'batch' as const] : [job._id, 'job' as const])),
    )
    const fresh = [...found].filter(([id]) => !requested.has(id))
    for (const [id] of fresh) requested.add(id)
    for (let at = 0; at < fresh.length; at += CANCELS_AT_ONCE) {
      await Promise.all(fresh.slice(at, at + CANCELS_AT_ONCE).map(([id, of]) => cancelOne(id, of)))
    }
    // Canceled waiting jobs have left the list. Running ones stay until their worker stops, so a page without new ids
    // is the end.
    if (fresh.length === 0 && !page.nextCursor) return
    cursor = fresh.length === 0 ? (page.nextCursor ?? null) : null
  }
}

function cancelOne(id: string, of: 'batch' | 'job'): Promise<unknown> {
  const params = { path: { id } }
  return of === 'batch'
    ? data(api.POST('/api/general/job/batch/{id}/cancel', { params }))
    : data(api.POST('/api/general/job/{id}/cancel', { params }))
}

export function useCancelAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => cancelAll(),
    onSettled: () => client.invalidateQueries({ queryKey: keys.jobs.all }),
  })
}

/** Runs one's own job again, unchanged. The key makes a repeated request the same job. */
export function useRunAgain() {
  const client = useQueryClient()
  return useMutation({
    once: ({ id }) => id,
    mutationFn: ({ id, key }: { id: string; key: string }) =>
      data(
        api.POST('/api/general/job/{id}/again', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
        }),
      ),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.auth.user }),
        client.invalidateQueries({ queryKey: keys.jobs.list, refetchType: 'none' }),
      ]),
  })
}

export const fetchStatus = (id: string, signal?: AbortSignal): Promise<JobStatus> =>
  data(api.GET('/api/general/job/{id}/status', { params: { path: { id } }, ...(signal && { signal }) }))

export const fetchOutputs = (id: string, signal?: AbortSignal): Promise<JobOutput[]> =>
  data(api.GET('/api/general/job/{id}/api-outputs', { params: { path: { id } }, ...(signal && { signal }) }))

export const outputsQuery = (id: string) =>
  queryOptions({ queryKey: [...keys.jobs.outputs, id] as const, queryFn: ({ signal }) => fetchOutputs(id, signal) })

export const fetchPictures = (ids: string[]): Promise<OutputAsset[]> =>
  Promise.all(
    ids.map(async (id) => {
      const found = await data(api.GET('/api/general/output-asset/{id}', { params: { path: { id }, query: {} } }))
      return found as OutputAsset
    }),
  )

/** How often a waiting page asks for the reason. */
const WAIT_REASON_INTERVAL_MS = 5000

export const waitReasonQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.jobs.why, id] as const,
    queryFn: ({ signal }): Promise<WaitingReason> =>
      data(api.GET('/api/general/job/{id}/why', { params: { path: { id } }, signal })),
    staleTime: WAIT_REASON_INTERVAL_MS / 2,
    refetchInterval: WAIT_REASON_INTERVAL_MS,
  })

export function useCancelJob() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string): Promise<CanceledJob> =>
      data(api.POST('/api/general/job/{id}/cancel', { params: { path: { id } } })),
    onSuccess: ({ _id, status }) => void patchJob(client, _id, { status }),
  })
}

export const patchJob = (client: QueryClient, id: string, change: Partial<Job>) =>
  patchItem<Job>(client, CACHED_ITEMS.job, id, () => change)

/** Refetches what a finished job changes: the balance, the pictures, the job. */
export async function refreshEndedJob(client: QueryClient, id: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: keys.auth.user }),
    client.invalidateQueries({ queryKey: keys.credits.all }),
    client.invalidateQueries({ queryKey: keys.gallery.all, refetchType: 'none' }),
    client.invalidateQueries({ queryKey: keys.jobs.list, refetchType: 'none' }),
    client.invalidateQueries({ queryKey: [...keys.jobs.detail, id] }),
  ])
}

/** A finished run does not change, except for what its author hides. */
const ORIGIN_STALE_MS = 600_000

/** How a picture was made, as far as the viewer may know. */
export const originQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.gallery.origin, id, signedIn] as const,
    queryFn: ({ signal }): Promise<Origin> => {
      const params = { path: { id } }
      return data(
        signedIn
          ? api.GET('/api/general/output-asset/{id}/origin', { params, signal })
          : api.GET('/api/public/output-asset/{id}/origin', { params, signal }),
      )
    },
    staleTime: ORIGIN_STALE_MS,
  })
