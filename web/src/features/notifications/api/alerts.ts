import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { NotificationType } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

type Alerts = { mailedTypes: NotificationType[] }

export const alertsQuery = () =>
  queryOptions({
    queryKey: keys.notifications.alerts,
    queryFn: ({ signal }): Promise<Alerts> => data(api.GET('/api/general/notification-settings', { signal })),
    select: ({ mailedTypes }) => mailedTypes,
  })

type Switched = { type: NotificationType; mailedTypes: NotificationType[] }

/** Saves the mailed types after `type` was switched. */
export function useSetAlerts() {
  const client = useQueryClient()
  const key = alertsQuery().queryKey
  return useMutation({
    // A second press would switch it back.
    once: ({ type }) => type,
    mutationFn: ({ mailedTypes }: Switched): Promise<Alerts> =>
      data(api.PATCH('/api/general/notification-settings', { body: { mailedTypes } })),
    onMutate: async ({ mailedTypes }) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData(key)
      client.setQueryData(key, { mailedTypes })
      return { before }
    },
    onError: (_error, _switched, context) => client.setQueryData(key, context?.before),
    onSuccess: (alerts) => client.setQueryData(key, alerts),
  })
}

export function useUnsubscribe() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => api.POST('/api/public/unsubscribe', { body: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery().queryKey }),
  })
}
