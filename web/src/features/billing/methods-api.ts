import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { api, data } from '@/shared/api/client'
import { keys } from '@/shared/api/keys'
import type { BillingCountry, CardBody, PaymentMethod, PaymentMethods, PaymentMethodWindow } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { enterCardWindow } from './card-window'

/** The user's cards, the default one first. Always fresh: another tab may have saved one. */
export const methodsQuery = () =>
  queryOptions({
    queryKey: keys.billing.methods,
    queryFn: ({ signal }): Promise<PaymentMethods> => data(api.GET('/api/general/payment-method', { signal })),
    staleTime: 0,
  })

const refreshMethods = (client: QueryClient) => {
  for (const queryKey of [keys.billing.methods, keys.billing.subscription]) {
    void client.invalidateQueries({ queryKey })
  }
}

/** Begins to save a card: leaves for the provider's window, unless its form is ours. */
export function useOpenCardWindow() {
  return useMutation({
    mutationFn: async (country: BillingCountry): Promise<PaymentMethodWindow> => {
      const opened = await data(api.POST('/api/general/payment-method', { body: { country } }))
      if (!opened.hasCardForm) await enterCardWindow(opened)
      return opened
    },
  })
}

type Returned = { id: string; authKey: string | null }

/** Saves the card that the provider's window has returned. */
export function useCompleteMethod() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, authKey }: Returned): Promise<PaymentMethod> =>
      data(api.POST('/api/general/payment-method/{id}/complete', { params: { path: { id } }, body: { authKey } })),
    onSuccess: () => refreshMethods(client),
  })
}

/** Saves a typed card. The card is no variable of the mutation, because a mutation keeps its variables. */
export function useSaveCard(id: string) {
  const client = useQueryClient()
  const card = useRef<CardBody | null>(null)
  const { mutate, ...state } = useMutation({
    mutationFn: (_: 'card'): Promise<PaymentMethod> => {
      const body = card.current
      card.current = null
      if (!body) throw new Error('the card was sent before')
      return data(api.POST('/api/general/payment-method/{id}/card', { params: { path: { id } }, body }))
    },
    once: () => id,
    onSuccess: () => refreshMethods(client),
  })
  const save = useCallback(
    (body: CardBody, onSuccess: (method: PaymentMethod) => void) => {
      card.current = body
      mutate('card', {
        onSuccess,
        onSettled: () => {
          card.current = null
        },
      })
    },
    [mutate],
  )
  return { ...state, save }
}

export function useMakeDefault() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string): Promise<PaymentMethod> =>
      data(api.PUT('/api/general/payment-method/{id}/default', { params: { path: { id } } })),
    onSettled: () => refreshMethods(client),
  })
}

export function useRemoveMethod() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.DELETE('/api/general/payment-method/{id}', { params: { path: { id } } }),
    onSettled: () => refreshMethods(client),
  })
}
