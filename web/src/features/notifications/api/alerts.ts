import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { NotificationType } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'

type Alerts = { mailedTypes: NotificationType[] }

/** The types that letters are sent about. */
export const alertsQuery = () =>
  queryOptions({
    queryKey: keys.notifications.alerts,
    queryFn: ({ signal }): Promise<Alerts> => data(api.GET('/api/general/notification-settings', { signal })),
    select: ({ mailedTypes }) => mailedTypes,
  })

type Switched = { type: NotificationType; mailedTypes: NotificationType[] }

/** Tells which types are mailed about from now on, after the one of `type` was switched. */
export function useSetAlerts() {
  const client = useQueryClient()
  const key = alertsQuery().queryKey
  return useMutation({
    // The switch is turned by then: its second press would turn it back.
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

/** Ends the letters by the code of one. */
export function useUnsubscribe() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (code: string) => api.POST('/api/public/unsubscribe', { body: { code } }),
    onSuccess: () => client.invalidateQueries({ queryKey: alertsQuery().queryKey }),
  })
}
