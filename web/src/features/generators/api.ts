import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, selected } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { GeneratorPage, SimpleAppAddress, SimpleAppBinding } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

type ModelFile = { folder: string; file: string }
/** Generators follow a change within this time. */
export const FOLLOW_MS = 60_000
const FOLLOWING_REFETCH_MS = 10_000
const REFETCH_MS = 30_000

export const generatorsQuery = (isFollowing = false) =>
  queryOptions({
    queryKey: keys.generators.admin,
    queryFn: ({ signal }) => selected<GeneratorPage>(api.GET('/api/admin/generator', { signal })),
    // A page that failed to load is retried by its error message's button.
    refetchInterval: ({ state }) => (state.data ? (isFollowing ? FOLLOWING_REFETCH_MS : REFETCH_MS) : false),
  })

/** Refetches after every change, successful or not: another admin may have changed the model too. */
function useChange<Change>(change: (value: Change) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => client.invalidateQueries({ queryKey: keys.generators.admin }),
  })
}

/** Says what a model file is like; null if no generator may use it. */
export const useSetModel = () =>
  useChange((body: ModelFile & { like: string | null }) => api.PUT('/api/admin/generator/model', { body }))

/** Lets name and header decide again what a model file is. */
export const useForgetModel = () =>
  useChange((query: ModelFile) => api.DELETE('/api/admin/generator/model', { params: { query } }))

/** The mini apps that operators bind to the addresses of simple apps. */
export const bindingsQuery = () =>
  queryOptions({
    queryKey: keys.generators.bindings,
    queryFn: ({ signal }) => selected<{ items: SimpleAppBinding[] }>(api.GET('/api/admin/simple-app', { signal })),
    select: ({ items }) => items,
  })

/** Refetches the bindings and the simple apps after every change. */
function useBinding<Change>(change: (value: Change) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.generators.bindings }),
        client.invalidateQueries({ queryKey: keys.miniApps.simple }),
      ]),
  })
}

/** Binds a mini app to the address of a simple app. */
export const useBindSimpleApp = () =>
  useBinding(({ address, workflowApi }: { address: SimpleAppAddress; workflowApi: string }) =>
    api.PUT('/api/admin/simple-app/{address}', { params: { path: { address } }, body: { workflowApi } }),
  )

/** Lets the configuration and the generators decide again. */
export const useUnbindSimpleApp = () =>
  useBinding((address: SimpleAppAddress) =>
    api.DELETE('/api/admin/simple-app/{address}', { params: { path: { address } } }),
  )
