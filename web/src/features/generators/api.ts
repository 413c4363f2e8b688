import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { GeneratorTask } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

export type Generator = {
  recipe: string
  task: GeneratorTask
  family: string | null
  /** The main model as the workers name it; empty for a recipe without models. */
  model: string
  workflow: string | null
  /** Whether a connected worker has its nodes and models. */
  isLive: boolean
  /** Why it could not be made or renewed. */
  failure: string | null
  licence: { name: string; commercial: 'Yes' | 'No' | 'Conditions'; note: string; noteKo: string } | null
  memoryGib: number | null
}

/** A model file of the connected workers. */
export type WorkerModel = {
  folder: string
  file: string
  /** The family that it is taken for; null if no generator uses it. */
  family: string | null
  /** Whether an admin said what it is. */
  isSet: boolean
  /** The model that it is like, by an admin's word; null if no generator may use it. */
  like: string | null
}

/** The name of a model that a file of a folder can be like. */
export type ModelName = { folder: string; name: string; family: string }

export type GeneratorPage = { generators: Generator[]; models: WorkerModel[]; names: ModelName[] }

type ModelFile = { folder: string; file: string }
/** Generators follow a change within this time. */
export const FOLLOW_MS = 60_000
const FOLLOWING_REFETCH_MS = 10_000
const REFETCH_MS = 30_000

export const generatorsQuery = (isFollowing = false) =>
  queryOptions({
    queryKey: keys.generators.admin,
    // The server's words are among those above.
    queryFn: async ({ signal }) => (await data(api.GET('/api/admin/generator', { signal }))) as GeneratorPage,
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
