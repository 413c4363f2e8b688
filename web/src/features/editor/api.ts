import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data, selected } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { uploadToEditor } from '@/shared/api/editor-request'
import { errorFromResponse } from '@/shared/api/errors'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { patchItem } from '@/shared/api/patch-item'
import type {
  Asset,
  GraphRequirements,
  MissingRequirement,
  Quote,
  Workflow,
  WorkflowDraft,
  WorkflowGraph,
} from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { parseExact, rawFields } from '@/shared/lib/exact-json'
import type { FrameGraph } from '@/shared/lib/frame-bridge'
import { graphBody } from './model'

const VERSIONS = 20

/** The user's unsaved graph of a workflow, or of the project that was never saved. */
export async function fetchDraft(flow: string | null, signal?: AbortSignal): Promise<WorkflowDraft | null> {
  const options = signal ? { signal } : {}
  const { draft } = await data(
    flow === null
      ? api.GET('/api/general/workflow/draft', options)
      : api.GET('/api/general/workflow/{id}/draft', { params: { path: { id: flow } }, ...options }),
  )
  return draft ?? null
}

/** Read once when the editor opens; the page knows later drafts itself. */
export const draftQuery = (flow: string | null) =>
  queryOptions({
    queryKey: [...keys.editor.draft, flow] as const,
    queryFn: ({ signal }) => fetchDraft(flow, signal),
    staleTime: 0,
    gcTime: 0,
  })

export const versionsQuery = (flow: string) =>
  cursorQuery([...keys.editor.versions, flow], (next, signal) => {
    const params = { path: { id: flow }, query: { limit: VERSIONS, ...next } }
    return data(api.GET('/api/general/workflow/{id}/version', { params, signal }))
  })

/** The graph of a version, which never changes. */
export const versionQuery = (flow: string, version: number) =>
  queryOptions({
    queryKey: [...keys.editor.version, flow, version] as const,
    queryFn: async ({ signal }): Promise<WorkflowGraph> => {
      const params = { path: { id: flow, version } }
      const { prompt } = await data(api.GET('/api/general/workflow/{id}/version/{version}', { params, signal }))
      return parseExact(prompt) as WorkflowGraph
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export type DraftToSave = {
  flow: string | null
  name: string
  workflow: string
  baseVersion: number | null
  /** This load of the editor. */
  page: string
  /** The stored draft that this page knows. */
  revision: string | null
}

/** Stores the draft and returns its revision. Refused if another page has stored one that this page does not know. */
export async function storeDraft({ flow, workflow, ...rest }: DraftToSave): Promise<string> {
  const body = { ...rest, workflow: {} }
  // Sends the graph as raw text: parsing would change large numbers.
  const written = `${JSON.stringify(rest).slice(0, -1)},"workflow":${workflow}}`
  const bodySerializer = () => written
  const { revision } = await data(
    flow === null
      ? api.PUT('/api/general/workflow/draft', { body, bodySerializer })
      : api.PUT('/api/general/workflow/{id}/draft', { params: { path: { id: flow } }, body, bodySerializer }),
  )
  return revision
}

export async function deleteDraft(flow: string | null): Promise<void> {
  if (flow === null) await api.DELETE('/api/general/workflow/draft')
  else await api.DELETE('/api/general/workflow/{id}/draft', { params: { path: { id: flow } } })
}

/** Deletes a draft if it is still the one that this page knows: another page may have stored a later one. */
export async function deleteKnownDraft(flow: string | null, revision: string | null): Promise<void> {
  if (revision === null) return
  const stored = await fetchDraft(flow)
  if (stored?.revision === revision) await deleteDraft(flow)
}

const patchGraph = (id: string, graph: FrameGraph, baseVersion: number | null): Promise<Workflow> => {
  const written = `{"baseVersion":${baseVersion ?? 'null'},"prompt":${graphBody(graph)}}`
  const body = { prompt: '', baseVersion }
  return data(
    api.PATCH('/api/general/workflow/{id}', { params: { path: { id } }, body, bodySerializer: () => written }),
  )
}

function useSaved() {
  const client = useQueryClient()
  return (saved: Workflow) => {
    patchItem<Workflow>(client, CACHED_ITEMS.workflow, saved._id, () => saved)
    return Promise.all([
      client.invalidateQueries({ queryKey: keys.workflows.graph }),
      client.invalidateQueries({ queryKey: [...keys.editor.versions, saved._id] }),
      client.invalidateQueries({ queryKey: keys.workflows.unpublishedBy, refetchType: 'none' }),
    ])
  }
}

type GraphToSave = { flow: string; graph: FrameGraph; baseVersion: number | null }

/** Saves the graph as a new version. Refused if the workflow has a later version than `baseVersion`. */
export function useSaveGraph() {
  return useMutation({
    once: ({ flow, graph }: GraphToSave) => `${flow} ${graph.workflow}`,
    mutationFn: ({ flow, graph, baseVersion }: GraphToSave) => patchGraph(flow, graph, baseVersion),
    onSuccess: useSaved(),
  })
}

type NewProject = { name: string; graph: FrameGraph; origin: string | null }

/** Saves the graph as a new private workflow, or as a copy of its `origin`. */
export function useSaveNew() {
  return useMutation({
    once: ({ name, graph, origin }: NewProject) => `${origin} ${name} ${graph.workflow}`,
    mutationFn: async ({ name, graph, origin }: NewProject): Promise<Workflow> => {
      if (origin !== null) {
        const copy = await data(api.POST('/api/general/workflow/copy', { body: { workflow: origin, name } }))
        return patchGraph(copy._id, graph, null)
      }
      const written = `{"name":${JSON.stringify(name)},"isPrivate":true,"prompt":${graphBody(graph)}}`
      const body = { name, prompt: '', isPrivate: true }
      return data(api.POST('/api/general/workflow', { body, bodySerializer: () => written }))
    },
    onSuccess: useSaved(),
  })
}

export function useRenameProject() {
  return useMutation({
    mutationFn: ({ flow, name }: { flow: string; name: string }) =>
      data(api.PATCH('/api/general/workflow/{id}', { params: { path: { id: flow } }, body: { name } })),
    onSuccess: useSaved(),
  })
}

type VersionToRestore = { flow: string; version: number; baseVersion: number | null }

/** Saves an earlier version's graph as the latest one. */
export function useRestoreVersion() {
  return useMutation({
    mutationFn: ({ flow, version, baseVersion }: VersionToRestore) =>
      data(
        api.POST('/api/general/workflow/{id}/version/{version}/restore', {
          params: { path: { id: flow, version } },
          body: { baseVersion },
        }),
      ),
    onSuccess: useSaved(),
  })
}

/** Makes an uploaded picture a value of the editor's image nodes, and returns that value. */
export function useInsertedImage() {
  return useMutation({
    once: ({ _id }: Asset) => _id,
    mutationFn: async ({ url, name }: Asset): Promise<string> => {
      const file = await fetch(new Request(new URL(url, window.location.origin), { credentials: 'same-origin' }))
      if (!file.ok) throw await errorFromResponse(file)
      const form = new FormData()
      form.append('image', await file.blob(), name)
      form.append('type', 'input')
      const answer = (await uploadToEditor('image', form)) as { name: string; subfolder?: string }
      return answer.subfolder ? `${answer.subfolder}/${answer.name}` : answer.name
    },
  })
}

/** The saved graph of a workflow as JSON text, in the editor's format where there is one. */
export async function savedGraph(flow: string): Promise<string> {
  const params = { path: { id: flow }, query: { select: 'prompt name' } }
  const { prompt } = await selected<{ prompt: string }>(api.GET('/api/general/workflow/{id}', { params }))
  const fields = rawFields(prompt)
  const drawn = fields.get('workflow')
  return (drawn === undefined || drawn === 'null' ? fields.get('output') : drawn) ?? '{}'
}

/** The options of a call whose body is a prompt, given as JSON text, which is sent as it is written. */
const promptBody = (prompt: string) => ({ body: { prompt: {} }, bodySerializer: () => `{"prompt":${prompt}}` })

const REQUIREMENTS_STALE_MS = 60_000
const QUOTE_STALE_MS = 30_000

/** What is missing for a prompt (JSON text) at the workers that the user's jobs may use. Runs nothing. */
export const requirementsQuery = (prompt: string) =>
  queryOptions({
    queryKey: [...keys.editor.requirements, prompt] as const,
    queryFn: ({ signal }): Promise<GraphRequirements> =>
      data(api.POST('/api/general/workflow/requirements', { ...promptBody(prompt), signal })),
    staleTime: REQUIREMENTS_STALE_MS,
  })

/** The price of a run of a prompt, given as JSON text. */
export const graphQuoteQuery = (prompt: string) =>
  queryOptions({
    queryKey: [...keys.editor.quote, prompt] as const,
    queryFn: ({ signal }): Promise<Quote> =>
      data(api.POST('/api/general/editor/quote', { ...promptBody(prompt), signal })),
    placeholderData: keepPreviousData,
    staleTime: QUOTE_STALE_MS,
    // A graph in the middle of a change has no price.
    retry: false,
  })

const isSame = (one: MissingRequirement, other: MissingRequirement) =>
  one.kind === other.kind && one.name === other.name && one.folder === other.folder

/** Asks the operators for a node class or a model. */
export function useRequestRequirement() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, folder, name }: MissingRequirement) =>
      data(api.POST('/api/general/requirement-request', { body: { kind, folder: folder ?? null, name } })),
    onSuccess: (_, wanted) => {
      client.setQueriesData<GraphRequirements>(
        { queryKey: keys.editor.requirements },
        (held) =>
          held && {
            ...held,
            missing: held.missing.map((one) => (isSame(one, wanted) ? { ...one, isRequested: true } : one)),
          },
      )
    },
  })
}
