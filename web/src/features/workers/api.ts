import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import type { Worker } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

const LOOK_MS = 30_000

/** Every worker and what it does, for operators. */
export const workersQuery = () =>
  queryOptions({
    queryKey: ['workers', 'list'] as const,
    queryFn: async ({ signal }): Promise<Worker[]> => (await data(api.GET('/api/admin/worker', { signal }))).items,
    refetchInterval: LOOK_MS,
  })

/** Asks a worker which nodes and models it has now, instead of in some minutes. */
export function useLookAgain() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => data(api.POST('/api/admin/worker/{id}/refresh', { params: { path: { id } } })),
    onSuccess: (worker) => {
      client.setQueryData(workersQuery().queryKey, (held) =>
        held?.map((one) => (one._id === worker._id ? worker : one)),
      )
      // Forms show the models that the workers have.
      return client.invalidateQueries({ queryKey: ['mini-apps', 'models'] })
    },
  })
}
