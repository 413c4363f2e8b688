import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRequireUser } from '@/features/auth'
import { api, data } from '@/shared/api/client'
import { CACHED_ITEMS, keys } from '@/shared/api/keys'
import { dropItem, patchItem } from '@/shared/api/patch-item'
import type { Workflow } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { useToggle } from '@/shared/api/use-toggle'
import { type SentGraph, toggled } from '../model'

/** Marks lists as stale in which a workflow may appear or move; they refetch when opened. */
const markLists = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] === 'workflows' && queryKey[1] !== 'detail',
    refetchType: 'none',
  })

export function useLike(failed: () => string) {
  const client = useQueryClient()
  const patch = (id: string, change: (old: Workflow) => Partial<Workflow>) =>
    patchItem<Workflow>(client, CACHED_ITEMS.workflow, id, change)
  return useToggle({
    of: 'workflow',
    asUser: useRequireUser(),
    show: ({ id, on }) => patch(id, (old) => (old.isLiked === on ? {} : toggled(old))),
    send: ({ id, on }) => {
      const params = { path: { id } }
      return data(
        on
          ? api.PUT('/api/general/workflow-like/{id}', { params })
          : api.DELETE('/api/general/workflow-like/{id}', { params }),
      )
    },
    settle: (liked, { id }) => {
      patch(id, () => liked)
      void client.invalidateQueries({ queryKey: keys.workflows.favourites, refetchType: 'none' })
    },
    meta: { failed },
  })
}

type Flags = Partial<Pick<Workflow, 'isPrivate' | 'isNsfw' | 'isBasic' | 'kind'>>

/** Kinds that follow from the workflow are sent as no mark. */
const sent = ({ kind, ...flags }: Flags) =>
  kind === undefined
    ? flags
    : { ...flags, kind: kind === 'generator' || kind === 'figma' ? (kind as 'generator' | 'figma') : null }

/** Visibility and admin flags: optimistic, rolled back on error. */
export function useSetFlags() {
  const client = useQueryClient()
  return useMutation({
    once: ({ id, flags }) => [id, ...Object.keys(flags)].join(),
    mutationFn: ({ id, flags }: { id: string; flags: Flags }): Promise<unknown> =>
      flags.isPrivate === undefined
        ? api.PATCH('/api/general/workflow/{id}', { params: { path: { id } }, body: sent(flags) })
        : api.PATCH('/api/general/workflow/privates', { body: { ids: [id], isPrivate: flags.isPrivate } }),
    onMutate: ({ id, flags }) => patchItem<Workflow>(client, CACHED_ITEMS.workflow, id, () => flags),
    onError: (_error, _sent, back) => back?.(),
    onSuccess: () => markLists(client),
  })
}

type WorkflowChanges = {
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
      patchItem<Workflow>(client, CACHED_ITEMS.workflow, id, () => saved)
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
      dropItem(client, CACHED_ITEMS.workflow, id)
      client.removeQueries({ queryKey: [...keys.workflows.detail, id], type: 'inactive' })
    },
  })
}

export function useCreateWorkflow() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, graph }: { name: string; graph: SentGraph }) => {
      const parts = Object.entries(graph).map(([part, text]) => `"${part}":${text}`)
      // Sends the graph as raw text: parsing would change large numbers.
      const written = `{"name":${JSON.stringify(name)},"isPrivate":true,"prompt":{${parts.join(',')}}}`
      const body = { name, prompt: written, isPrivate: true }
      return data(api.POST('/api/general/workflow', { body, bodySerializer: () => written }))
    },
    onSuccess: () => markLists(client),
  })
}

/** Counts a launch of a workflow. Fire and forget. */
export function countLaunch(id: string, asAdmin: boolean): void {
  const params = { path: { id } }
  const sent = asAdmin
    ? api.PATCH('/api/general/workflow/{id}/launch', { params })
    : api.PATCH('/api/public/workflow/{id}/launch', { params })
  sent.catch(() => undefined)
}

export const downloadUrl = (id: string, signedIn: boolean): string =>
  `/api/${signedIn ? 'general' : 'public'}/workflow/${encodeURIComponent(id)}/download`
