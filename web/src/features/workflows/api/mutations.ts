import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type { Workflow } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { type SentGraph, toggled } from '../model'
import { cachedWorkflow, patchWorkflow } from './cache'

/** Lists in which a workflow may appear or move are only marked: whoever opens them next asks again. */
const markLists = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'workflows' && queryKey[1] !== 'detail',
    refetchType: 'none',
  })

type Wish = { id: string; liked: boolean }

/**
 * Shown at once in every list, taken back when the server refuses, and set to what it says when it answers. It is told
 * what is wanted, and not to turn round what it has: another page of the same person may have turned it already.
 */
export function useLike() {
  const client = useQueryClient()
  return useMutation({
    once: ({ id }) => id,
    mutationFn: ({ id, liked }: Wish) => {
      const params = { path: { id } }
      return data(
        liked
          ? api.PUT('/api/general/workflow-like/{id}', { params })
          : api.DELETE('/api/general/workflow-like/{id}', { params }),
      )
    },
    onMutate: async ({ id, liked }) => {
      await client.cancelQueries({ queryKey: ['workflows', 'detail', id] })
      const before = cachedWorkflow(client, id)
      patchWorkflow(client, id, (workflow) => (workflow.isLiked === liked ? workflow : toggled(workflow)))
      return { before }
    },
    onError: (_error, { id }, context) => {
      const before = context?.before
      if (before) {
        const { isLiked, likeCount } = before
        patchWorkflow(client, id, (workflow) => ({ ...workflow, isLiked, likeCount }))
      }
    },
    onSuccess: (liked, { id }) => {
      patchWorkflow(client, id, (workflow) => ({ ...workflow, ...liked }))
      return client.invalidateQueries({ queryKey: ['workflows', 'favourites'], refetchType: 'none' })
    },
  })
}

type Flags = Partial<Pick<Workflow, 'isPrivate' | 'isNsfw' | 'isBasic'>>

/** Visibility and what admins say of a workflow: shown at once, taken back when the server refuses. */
export function useSetFlags() {
  const client = useQueryClient()
  return useMutation({
    once: ({ id, flags }) => [id, ...Object.keys(flags)].join(),
    mutationFn: ({ id, flags }: { id: string; flags: Flags }): Promise<unknown> =>
      flags.isPrivate === undefined
        ? api.PATCH('/api/general/workflow/{id}', { params: { path: { id } }, body: flags })
        : api.PATCH('/api/general/workflow/privates', { body: { ids: [id], isPrivate: flags.isPrivate } }),
    onMutate: ({ id, flags }) => {
      const before = cachedWorkflow(client, id)
      patchWorkflow(client, id, (workflow) => ({ ...workflow, ...flags }))
      return { before }
    },
    onError: (_error, { id, flags }, context) => {
      const before = context?.before
      if (!before) return
      const old = Object.fromEntries(Object.keys(flags).map((key) => [key, before[key as keyof Flags]])) as Flags
      patchWorkflow(client, id, (workflow) => ({ ...workflow, ...old }))
    },
    onSuccess: () => markLists(client),
  })
}

export type WorkflowChanges = {
  name: string
  description: string
  thumbnails: string[]
  workflowTags: string[]
  cover: string | null
  isPrivate?: boolean
}

export function useSaveWorkflow(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: WorkflowChanges) =>
      data(api.PATCH('/api/general/workflow/{id}', { params: { path: { id } }, body })),
    onSuccess: (saved) => {
      patchWorkflow(client, id, () => saved)
      return markLists(client)
    },
  })
}

export function useCopyWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: { workflow: string; name: string }) => data(api.POST('/api/general/workflow/copy', { body })),
    onSuccess: () => markLists(client),
  })
}

export function useDeleteWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/workflow/{id}', { params: { path: { id } } }),
    onSuccess: (_answer, id) => {
      patchWorkflow(client, id, () => null)
      client.removeQueries({ queryKey: ['workflows', 'detail', id], type: 'inactive' })
    },
  })
}

/** Makes a private draft from a graph that somebody brought along. */
export function useCreateWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, graph }: { name: string; graph: SentGraph }) =>
      data(api.POST('/api/general/workflow', { body: { name, prompt: JSON.stringify(graph), isPrivate: true } })),
    onSuccess: () => markLists(client),
  })
}

/** Counts that a workflow was opened to be run. Nobody waits for it, and nothing depends on it. */
export function countLaunch(id: string, asAdmin: boolean): void {
  const params = { path: { id } }
  const sent = asAdmin
    ? api.PATCH('/api/general/workflow/{id}/launch', { params })
    : api.PATCH('/api/public/workflow/{id}/launch', { params })
  sent.catch(() => undefined)
}

/** Where the graph of a workflow is saved from. */
export const downloadUrl = (id: string, signedIn: boolean): string =>
  `/api/${signedIn ? 'general' : 'public'}/workflow/${encodeURIComponent(id)}/download`
