import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { Profile } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import type { ContactDraft } from './model'
import { contactBody } from './model'

export const profileQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.profile, userId] as const,
    queryFn: ({ signal }): Promise<Profile> =>
      data(api.GET('/api/public/user/{userId}', { params: { path: { userId } }, signal })),
  })

export function useSaveContactPoints(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (draft: ContactDraft[]) => data(api.POST('/api/general/contact-point', { body: contactBody(draft) })),
    onSuccess: (contactPoints) =>
      client.setQueryData(profileQuery(userId).queryKey, (old) => old && { ...old, contactPoints }),
  })
}
