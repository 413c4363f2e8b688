import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Client } from 'openapi-fetch'
import { api, data } from '@/shared/api/client'
import { cursorQuery } from '@/shared/api/cursor-query'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'
import { setupOf } from './model'
import type { Editor, Preview, SavedApi, Setup, SharedUser } from './types'

const body = (workflow: string, { inputs, outputs }: Setup) => {
  const entries = { inputs, outputs } as unknown as Record<'inputs' | 'outputs', Record<string, never>>
  return { workflow, ...entries }
}

/** The nodes of a workflow, a proposed setup, and the saved one. Only the refresh button refetches it. */
export const editorQuery = (workflow: string) =>
  queryOptions({
    queryKey: [...keys.workflowApi.editor, workflow] as const,
    queryFn: async ({ signal }) => {
      const params = { path: { workflowId: workflow } }
      const editor = await data(api.GET('/api/general/workflow-api/editor/{workflowId}', { params, signal }))
      return { ...editor, saved: editor.saved ?? null } as unknown as Editor
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })

export const previewQuery = (workflow: string, setup: Setup) =>
  queryOptions({
    queryKey: [...keys.workflowApi.preview, workflow, setup] as const,
    queryFn: async ({ signal }) => {
      const answer = await data(api.POST('/api/general/workflow-api/preview', { body: body(workflow, setup), signal }))
      return answer as unknown as Preview
    },
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })

/** Saves a setup as a new version, and invalidates the mini app and its workflow. */
export function useSaveApi(workflow: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (setup: Setup) => {
      const saved = await data(api.POST('/api/general/workflow-api', { body: body(workflow, setup) }))
      return saved as unknown as SavedApi
    },
    onSuccess: (saved) => {
      const { queryKey } = editorQuery(workflow)
      client.setQueryData(queryKey, (editor) => editor && { ...editor, saved })
      // A saved setup is its own preview.
      client.setQueryData(previewQuery(workflow, setupOf(saved)).queryKey, saved)
      void client.invalidateQueries({ queryKey: keys.workflowApi.versions })
      return markAppStale(client, workflow)
    },
  })
}

export function useDeleteApi(workflow: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/workflow-api/{id}', { params: { path: { id } } }),
    onSuccess: () => {
      const { queryKey } = editorQuery(workflow)
      client.setQueryData(queryKey, (editor) => editor && { ...editor, saved: null })
      return markAppStale(client, workflow)
    },
  })
}

const markAppStale = (client: ReturnType<typeof useQueryClient>, workflow: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.miniApps.all, refetchType: 'none' }),
    client.invalidateQueries({ queryKey: [...keys.workflows.detail, workflow], refetchType: 'none' }),
    client.invalidateQueries({ queryKey: keys.workflows.list, refetchType: 'none' }),
  ])

/** The versions of a mini app, for its owner and admins. */
export const versionsQuery = (id: string) =>
  cursorQuery([...keys.workflowApi.versions, id], (next, signal) => {
    const params = { path: { id }, query: { limit: 10, ...next } }
    return data(api.GET('/api/general/workflow-api/{id}/version', { params, signal }))
  })

export const sharedUsersQuery = (workflowApiId: string) =>
  queryOptions({
    queryKey: [...keys.workflowApi.shared, workflowApiId] as const,
    queryFn: ({ signal }) =>
      data(
        shares.GET('/api/general/workflow-api-shared/{workflowApiId}/shared-users', {
          params: { path: { workflowApiId } },
          signal,
        }),
      ),
    select: (list) => list.items,
  })

export function useShareApi(workflowApiId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (userEmail: string) =>
      data(shares.POST('/api/general/workflow-api-shared', { body: { workflowApiId, userEmail } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.workflowApi.shared }),
  })
}

export function useUnshareApi() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => shares.DELETE('/api/general/workflow-api-shared/{id}', { params: { path: { id } } }),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.workflowApi.shared }),
  })
}

type Json<T> = { content: { 'application/json': T } }

/** The share endpoints as the server answers them. */
type SharePaths = {
  '/api/general/workflow-api-shared/{workflowApiId}/shared-users': {
    get: { parameters: { path: { workflowApiId: string } }; responses: { 200: Json<{ items: SharedUser[] }> } }
  }
  '/api/general/workflow-api-shared': {
    post: { requestBody: Json<{ workflowApiId: string; userEmail: string }>; responses: { 201: Json<SharedUser> } }
  }
  '/api/general/workflow-api-shared/{id}': {
    delete: { parameters: { path: { id: string } }; responses: { 204: { content?: never } } }
  }
}

const shares = api as unknown as Client<SharePaths>
