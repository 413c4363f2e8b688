import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useUser } from '@/features/auth'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Block } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

export const blocksQuery = () =>
  queryOptions({
    queryKey: keys.blocks,
    queryFn: async ({ signal }): Promise<Block[]> => (await data(api.GET('/api/general/user-block', { signal }))).items,
  })

export function useIsBlocked(userId: string): boolean | undefined {
  const user = useUser()
  const blocks = useQuery({ ...blocksQuery(), enabled: Boolean(user) && user?._id !== userId })
  return blocks.data?.some((block) => block.user._id === userId)
}

export function useBlock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (user: string) => api.POST('/api/general/user-block', { body: { user } }),
    onSuccess: () => client.invalidateQueries({ queryKey: blocksQuery().queryKey }),
  })
}

export function useUnblock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (user: string) => api.DELETE('/api/general/user-block/{user}', { params: { path: { user } } }),
    onSuccess: (_answer, user) =>
      client.setQueryData(blocksQuery().queryKey, (held) => held?.filter((block) => block.user._id !== user)),
  })
}
