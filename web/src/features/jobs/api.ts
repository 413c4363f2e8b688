import { infiniteQueryOptions, type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type {
  BatchStatus,
  CanceledJob,
  CursorPage,
  Job,
  JobOutput,
  JobStatus,
  JobStatusName,
  JobWhy,
} from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** Which jobs a list shows. */
export type JobFilter = 'all' | 'active' | 'done' | 'failed'

/** The statuses behind each filter; a canceled job did what its owner wanted and counts as neither. */
const STATUSES: Record<Exclude<JobFilter, 'all'>, JobStatusName[]> = {
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
    queryKey: ['jobs', 'detail', id] as const,
    queryFn: ({ signal }): Promise<Job> =>
      data<Job>(api.GET('/api/general/job/{id}', { params: { path: { id } }, signal })),
  })

/** The jobs of whoever is signed in, or those of one batch of theirs. */
export const jobsQuery = (filter: JobFilter, batch?: string) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', filter, batch ?? null] as const,
    queryFn: ({ pageParam, signal }) =>
      data<CursorPage<Job>>(
        api.GET('/api/general/job', {
          params: {
            query: {
              limit: 20,
              ...(pageParam && { cursor: pageParam }),
              ...(batch && { batch }),
              ...(filter !== 'all' && { status: STATUSES[filter].join(',') }),
            },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (pages) => pages.pages.flatMap((page) => page.items),
  })

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'batch', id] as const,
    queryFn: ({ signal }) =>
      data<BatchStatus>(api.GET('/api/general/job/batch/{id}', { params: { path: { id } }, signal })),
  })

/** Cancels all that wait or run of a batch. */
export function useCancelBatch() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      data<BatchStatus>(api.POST('/api/general/job/batch/{id}/cancel', { params: { path: { id } } })),
    onSuccess: (status, id) => {
      client.setQueryData(batchQuery(id).queryKey, status)
      return client.invalidateQueries({ queryKey: ['jobs', 'list'] })
    },
  })
}

export const fetchStatus = (id: string, signal?: AbortSignal): Promise<JobStatus> =>
  data<JobStatus>(api.GET('/api/general/job/{id}/status', { params: { path: { id } }, ...(signal && { signal }) }))

export const fetchOutputs = (id: string, signal?: AbortSignal): Promise<JobOutput[]> =>
  data<JobOutput[]>(
    api.GET('/api/general/job/{id}/api-outputs', { params: { path: { id } }, ...(signal && { signal }) }),
  )

export const outputsQuery = (id: string) =>
  queryOptions({ queryKey: ['jobs', 'outputs', id] as const, queryFn: ({ signal }) => fetchOutputs(id, signal) })

/** How often a waiting page asks what its job waits for. */
export const WHY_INTERVAL_MS = 5000

export const whyQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'why', id] as const,
    queryFn: ({ signal }) => data<JobWhy>(api.GET('/api/general/job/{id}/why', { params: { path: { id } }, signal })),
    staleTime: WHY_INTERVAL_MS / 2,
    refetchInterval: WHY_INTERVAL_MS,
  })

export function useCancelJob() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      data<CanceledJob>(api.POST('/api/general/job/{id}/cancel', { params: { path: { id } } })),
    onSuccess: (canceled) => patchJob(client, canceled._id, { status: canceled.status }),
  })
}

type JobPages = { pages: CursorPage<Job>[]; pageParams: unknown[] }

/** Changes one job in every list that shows it, without loading the lists again: they would jump. */
export function patchJob(client: QueryClient, id: string, change: Partial<Job>): void {
  client.setQueriesData<JobPages>(
    { queryKey: ['jobs', 'list'] },
    (old) =>
      old && {
        ...old,
        pages: old.pages.map((page) => ({
          ...page,
          items: page.items.map((job) => (job._id === id ? { ...job, ...change } : job)),
        })),
      },
  )
  client.setQueryData<Job>(jobQuery(id).queryKey, (old) => old && { ...old, ...change })
}

/** What a job that has just ended makes stale: the balance, the pictures, the job itself. */
export async function settleJob(client: QueryClient, id: string): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['auth', 'user'] }),
    client.invalidateQueries({ queryKey: ['account', 'credits'] }),
    client.invalidateQueries({ queryKey: ['gallery'], refetchType: 'none' }),
    client.invalidateQueries({ queryKey: ['jobs', 'list'], refetchType: 'none' }),
    client.invalidateQueries({ queryKey: ['jobs', 'detail', id] }),
  ])
}
