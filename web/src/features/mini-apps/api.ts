import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data, selected } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { ApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { Asset, SharedApp, SimpleApp, SimpleAppAddress, WorkflowApi } from '@/shared/api/types'
import { type FileKind, KIND_WORD, uploadFile } from '@/shared/api/upload'
import { useMutation } from '@/shared/api/use-mutation'
import { spreadAuthors } from '@/shared/lib/spread-authors'
import type { FormValues } from '@/shared/ui/schema-form/read-form'

export const SIMPLE_APPS = [
  'background-remover',
  'face-swap',
  'image-to-prompt',
] as const satisfies readonly SimpleAppAddress[]

/** A worker that connects makes its apps available within this time. */
export const READY_CHECK_MS = 20_000
/** How soon the loss of a worker is noticed, and what a new one changes beside the asked app. */
export const LOST_CHECK_MS = 60_000

export const simpleAppsQuery = () =>
  queryOptions({
    queryKey: keys.miniApps.simple,
    queryFn: ({ signal }) => selected<{ items: SimpleApp[] }>(api.GET('/api/public/simple-app', { signal })),
    select: ({ items }) => items,
    staleTime: READY_CHECK_MS,
    refetchInterval: LOST_CHECK_MS,
  })

export const simpleAppQuery = (address: SimpleAppAddress) =>
  queryOptions({
    queryKey: [...keys.miniApps.simple, address] as const,
    queryFn: ({ signal }) =>
      selected<SimpleApp>(api.GET('/api/public/simple-app/{address}', { params: { path: { address } }, signal })),
    refetchInterval: ({ state }) => (state.data?.state === 'Ready' ? LOST_CHECK_MS : READY_CHECK_MS),
  })

export type AppSort = 'newest' | 'like' | 'view'
const PICKER_PAGE = 20

/** Which apps a list shows: by kind of output, by kind of input, and only those that a worker can run now. */
export type AppFilter = { makes?: 'image' | 'video'; takes?: 'image' | 'text'; works?: true }

export const miniAppsQuery = (sort: AppSort = 'newest', filter: AppFilter = {}) =>
  cursorQuery(
    [...keys.miniApps.list, sort, filter],
    (next, signal) =>
      data(api.GET('/api/public/mini-app', { params: { query: { limit: 24, sort, ...filter, ...next } }, signal })),
    (pages) => (sort === 'newest' ? spreadAuthors(pages, (app) => app.user?._id) : pages.flat()),
  )

/** Mini apps shared with the user, latest first. */
export const sharedAppsQuery = () =>
  cursorQuery(keys.miniApps.shared, (next, signal) =>
    data(api.GET('/api/general/workflow-api-shared', { params: { query: { limit: 30, ...next } }, signal })),
  )

/** Removes a shared app from the user's list; only a new share adds it again. */
export function useLeaveShare() {
  const client = useQueryClient()
  return useMutation({
    once: ({ _id }) => _id,
    mutationFn: ({ _id }: SharedApp) =>
      api.DELETE('/api/general/workflow-api-shared/{id}', { params: { path: { id: _id } } }),
    onSuccess: (_, { workflowApi }) => {
      client.removeQueries({ queryKey: [...keys.miniApps.detail, workflowApi._id] })
      return client.invalidateQueries({ queryKey: keys.miniApps.shared })
    },
  })
}

/** Signed-in users need the general endpoint, which also returns their own private apps. */
export const miniAppQuery = (id: string, signedIn: boolean) =>
  queryOptions({
    queryKey: [...keys.miniApps.detail, id, signedIn] as const,
    queryFn: ({ signal }): Promise<WorkflowApi> =>
      data(
        signedIn
          ? api.GET('/api/general/workflow-api/{id}', { params: { path: { id } }, signal })
          : api.GET('/api/public/workflow-api/{id}', { params: { path: { id } }, signal }),
      ),
  })

export const modelsQuery = (folder: string | undefined) =>
  queryOptions({
    queryKey: [...keys.miniApps.models, folder ?? ''] as const,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/public/comfy-model', {
          params: { query: { select: 'name', ...(folder && { folder }) } },
          signal,
        }),
      ),
    select: (list) => list.items.map((model) => model.name),
    staleTime: 300_000,
  })

export const inputAssetsQuery = (kind: FileKind, page: number) =>
  queryOptions({
    queryKey: [...keys.miniApps.inputs, kind, page] as const,
    queryFn: ({ signal }) =>
      data(
        api.GET('/api/general/input-asset/my', {
          params: { query: { kind: KIND_WORD[kind], page, limit: PICKER_PAGE } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })

/** A file of the user by the id in a form; null if it was deleted. */
export const ownFileQuery = (asset: string) =>
  queryOptions({
    queryKey: [...keys.miniApps.file, asset] as const,
    queryFn: async ({ signal }): Promise<Asset | null> => {
      const query = { filter: JSON.stringify({ asset }) }
      const found = await data(api.GET('/api/general/input-asset', { params: { query }, signal }))
      return found.items[0]?.asset ?? null
    },
    staleTime: 0,
  })

/** Bytes and lines of a text file that are shown as its preview. */
const PREVIEW_BYTES = 4096
const PREVIEW_LINES = 12

/** The first lines of a text file. */
export const textPreviewQuery = (url: string | undefined) =>
  queryOptions({
    queryKey: [...keys.miniApps.file, 'text', url ?? ''] as const,
    queryFn: async ({ signal }) => {
      const address = new URL(url ?? '', window.location.origin)
      const headers = { range: `bytes=0-${PREVIEW_BYTES - 1}` }
      const answer = await fetch(new Request(address, { headers, credentials: 'same-origin', signal }))
      if (!answer.ok) throw new ApiError(answer.status)
      // The range may end within a character.
      const lines = (await answer.text()).replace(/\ufffd$/, '').split(/\r?\n/)
      return lines.slice(0, PREVIEW_LINES).join('\n').trimEnd()
    },
    enabled: url !== undefined,
    // An address always has the same bytes.
    staleTime: Number.POSITIVE_INFINITY,
  })

type Upload = { kind: FileKind; file: File; onProgress: (share: number) => void; signal: AbortSignal }

/** Uploads a file and adds it to the user's private files. */
export function useUpload() {
  const client = useQueryClient()
  return useMutation({
    once: null,
    mutationFn: async ({ kind, file, onProgress, signal }: Upload): Promise<Asset> => {
      const asset = await uploadFile(kind, file, onProgress, signal)
      // The file is usable even if it could not be added to the list.
      await api.POST('/api/general/input-asset', { body: { asset: asset._id, isPrivate: true } }).catch(() => undefined)
      return asset
    },
    onSuccess: () => client.invalidateQueries({ queryKey: keys.miniApps.inputs }),
  })
}

/** Deletes an uploaded file. Jobs that used it keep their results. */
export function useDeleteInput() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/input-asset/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.miniApps.inputs }),
  })
}

/** What a run costs, and by when it is ready. */
export type RunTerms = { priceClass?: 'flex'; deadline?: string }

type Run = {
  app: string
  values: FormValues
  key: string
  terms?: RunTerms | undefined
  /** One of several runs of a page, which may have equal values. Each key is a run of its own. */
  isOneOfMany?: true
}

/** Starts a job. The key makes a repeated press or request the same job. A changed form runs at once. */
export function useRun() {
  const client = useQueryClient()
  return useMutation({
    once: ({ app, values, key, terms, isOneOfMany }) => JSON.stringify([app, values, terms, isOneOfMany && key]),
    mutationFn: ({ app, values, key, terms }: Run) =>
      data(
        api.POST('/api/general/job/workflow-api/{id}', {
          params: { path: { id: app }, header: { 'Idempotency-Key': key }, query: { ...terms } },
          body: values as Record<string, never>,
        }),
      ),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.auth.user }),
        client.invalidateQueries({ queryKey: keys.jobs.list, refetchType: 'none' }),
      ]),
  })
}
