import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, data } from '@/shared/api/client'
import { isApiError } from '@/shared/api/errors'
import { keys } from '@/shared/api/keys'
import type { CurrentSubscription, PlanChange, PlanChangeBody, SubscribeBody, Subscription } from '@/shared/api/types'
import { useMutation } from '@/shared/api/use-mutation'
import { ASKING_MS, pauseAfter } from './orders-model'
import { isSettlingOf } from './subscription-model'

/** The subscription of the user, or the last one if it ended a short time ago. Always fresh: it renews by itself. */
export const subscriptionQuery = () =>
  queryOptions({
    queryKey: keys.billing.subscription,
    queryFn: async ({ signal }): Promise<Subscription | null> => {
      const answer: CurrentSubscription = await data(api.GET('/api/general/subscription', { signal }))
      return answer.subscription ?? null
    },
    staleTime: 0,
  })

/** What a change to an item's plan costs now. */
export const planChangeQuery = (itemId: string) =>
  queryOptions({
    queryKey: [...keys.billing.planChange, itemId],
    queryFn: ({ signal }): Promise<PlanChange> =>
      data(api.GET('/api/general/subscription/change', { params: { query: { itemId } }, signal })),
    staleTime: 0,
  })

/** Shows a changed subscription, and loads what depends on its plan and payment. */
function show(client: QueryClient, subscription: Subscription): void {
  client.setQueryData(subscriptionQuery().queryKey, subscription)
  refreshPaid(client)
}

function refreshPaid(client: QueryClient): void {
  const { auth, credits, account, billing, miniApps, editor } = keys
  const changed = [
    auth.user,
    credits.all,
    account.plan,
    billing.orders,
    billing.planChange,
    miniApps.quote,
    editor.quote,
  ]
  for (const queryKey of changed) void client.invalidateQueries({ queryKey })
}

/** A refusal says that the shown prices, cards or plans are old. */
function refreshRefused(client: QueryClient, error: Error): void {
  if (!isApiError(error, 404) && !isApiError(error, 409)) return
  const { shop, subscription, methods, planChange } = keys.billing
  for (const queryKey of [shop, subscription, methods, planChange]) void client.invalidateQueries({ queryKey })
}

const shown = (client: QueryClient) => ({
  onSuccess: (subscription: Subscription) => show(client, subscription),
  onError: (error: Error) => refreshRefused(client, error),
})

/** Subscribes to a plan, and pays its first month. */
export function useSubscribe() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SubscribeBody): Promise<Subscription> => data(api.POST('/api/general/subscription', { body })),
    ...shown(client),
  })
}

/** Asks PayPal what became of the subscription. */
export function useCompleteSubscription() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<Subscription> => data(api.POST('/api/general/subscription/complete')),
    ...shown(client),
  })
}

/** Changes the plan, for the amount that was shown. */
export function useChangePlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PlanChangeBody): Promise<Subscription> =>
      data(api.PUT('/api/general/subscription/plan', { body })),
    ...shown(client),
  })
}

/** Takes back a planned change, by choosing the plan of today. */
export function useKeepPlan() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (itemId: string): Promise<Subscription> => {
      const { amount } = await data(api.GET('/api/general/subscription/change', { params: { query: { itemId } } }))
      return data(api.PUT('/api/general/subscription/plan', { body: { itemId, amount } }))
    },
    ...shown(client),
  })
}

/** Stops the recurring payment. The plan stays until the end of its period. */
export function useCancelSubscription() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<Subscription> => data(api.POST('/api/general/subscription/cancel')),
    ...shown(client),
  })
}

/** Takes the cancellation back. */
export function useResumeSubscription() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<Subscription> => data(api.POST('/api/general/subscription/resume')),
    ...shown(client),
  })
}

/** Tries a failed payment again, at once. */
export function useRetryPayment() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<Subscription> => data(api.POST('/api/general/subscription/retry')),
    ...shown(client),
  })
}

/** The subscription, asked for again and again while its payment is under way, for two minutes. */
export function useSubscription(enabled = true) {
  const client = useQueryClient()
  const startedAt = useRef(0)
  const [isLate, setIsLate] = useState(false)
  const query = useQuery({
    ...subscriptionQuery(),
    enabled,
    refetchInterval: ({ state }) =>
      isSettlingOf(state.data) && !isLate ? pauseAfter(Date.now() - (startedAt.current || Date.now())) : false,
  })
  const isSettling = isSettlingOf(query.data)
  useEffect(() => {
    if (!isSettling) return
    startedAt.current = Date.now()
    setIsLate(false)
    const timer = setTimeout(() => setIsLate(true), ASKING_MS)
    return () => {
      clearTimeout(timer)
      refreshPaid(client)
    }
  }, [client, isSettling])
  return { ...query, isSettling, isLate }
}
