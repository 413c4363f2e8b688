import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { UpkeepTask } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

/** Many tasks run every five seconds, and one that was asked for begins at once. */
const LOOK_MS = 3000

/** Every task of upkeep and its last round, for operators. */
export const upkeepQuery = () =>
  queryOptions({
    queryKey: keys.upkeep,
    queryFn: async ({ signal }): Promise<UpkeepTask[]> => (await data(api.GET('/api/admin/upkeep', { signal }))).items,
    // A list that never came is asked for again by whoever reads why.
    refetchInterval: ({ state }) => (state.data ? LOOK_MS : false),
  })

/** Has a round of a task begin now. The answer is from before it does: the list tells how it goes. */
export function useRunTask() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => data(api.POST('/api/admin/upkeep/{name}/run', { params: { path: { name } } })),
    onSuccess: (task) => {
      client.setQueryData(upkeepQuery().queryKey, (held) => held?.map((one) => (one.name === task.name ? task : one)))
    },
  })
}
