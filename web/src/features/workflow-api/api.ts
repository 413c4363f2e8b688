import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import { useMutation } from '@/shared/api/use-mutation'
import { setupOf } from './model'
import { shares } from './share-paths'
import type { Editor, Preview, SavedApi, Setup } from './types'

const body = (workflow: string, { inputs, outputs }: Setup) => {
  const entries = { inputs, outputs } as unknown as Record<'inputs' | 'outputs', Record<string, never>>
  return { workflow, ...entries }
}

/** What can be chosen from a workflow, what is proposed, and what is saved. Read again by the refresh button alone. */
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

/** The form that a save of this would give. */
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

/** Saves a setup; saving again makes a new version of it. Whoever shows the mini app or its workflow asks again. */
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
      // What was saved is its own preview.
      client.setQueryData(previewQuery(workflow, setupOf(saved)).queryKey, saved)
      return forgetApp(client, workflow)
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
      return forgetApp(client, workflow)
    },
  })
}

const forgetApp = (client: ReturnType<typeof useQueryClient>, workflow: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: keys.miniApps.all, refetchType: 'none' }),
    client.invalidateQueries({ queryKey: [...keys.workflows.detail, workflow], refetchType: 'none' }),
    client.invalidateQueries({ queryKey: keys.workflows.list, refetchType: 'none' }),
  ])

/** Who else may run an API. */
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
