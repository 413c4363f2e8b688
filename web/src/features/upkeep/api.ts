import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { UpkeepTask } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** Many tasks run every five seconds, and a requested one starts at once. */
const REFETCH_MS = 3000

export const upkeepQuery = () =>
  queryOptions({
    queryKey: keys.upkeep,
    queryFn: async ({ signal }): Promise<UpkeepTask[]> => (await data(api.GET('/api/admin/upkeep', { signal }))).items,
    // A list that failed to load is retried by its error message's button.
    refetchInterval: ({ state }) => (state.data ? REFETCH_MS : false),
  })

/** Starts a round of a task. The answer is from before it; the list shows the progress. */
export function useRunTask() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => data(api.POST('/api/admin/upkeep/{name}/run', { params: { path: { name } } })),
    onSuccess: (task) => {
      client.setQueryData(upkeepQuery().queryKey, (held) => held?.map((one) => (one.name === task.name ? task : one)))
    },
  })
}
