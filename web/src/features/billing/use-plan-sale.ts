import { useQuery } from '@tanstack/react-query'
import { useGuest, useRequireUser, useUser } from '@/features/auth'
import type { BillingCountry, Plan, Shop, Subscription } from '@/shared/api/types'
import { useUrlParams } from '@/shared/lib/url-params'
import { shopQuery } from './orders-api'
import { useSubscription } from './subscription-api'
import { choiceOf, PLAN, type PlanChoice } from './subscription-model'
import { useCountry } from './use-country'

export type PlanSale = {
  shop: Shop | undefined
  subscription: Subscription | null
  /** The subscription could not be loaded. */
  error: unknown
  onRetry: () => void
  /** Whether it is known what the visitor can do. */
  isKnown: boolean
  choice: (plan: string) => PlanChoice
  country: BillingCountry
  onCountry: (country: BillingCountry) => void
  /** The plan whose dialog is open. */
  chosen: string
  onChoose: (plan: string) => void
  onClose: () => void
}

/** The plans as something that is bought: prices, the own subscription, and the open dialog. */
export function usePlanSale(plans: readonly Plan[]): PlanSale {
  const user = useUser()
  const isGuest = useGuest()
  const requireUser = useRequireUser()
  const shop = useQuery(shopQuery())
  const { data, error, isPending, refetch } = useSubscription(Boolean(user))
  const [country, onCountry] = useCountry()
  const [{ plan: chosen }, { push, replace }] = useUrlParams(PLAN)
  const subscription = (user && data) ?? null
  const current = user?.subscriptions[0]?.name
  return {
    shop: shop.data,
    subscription,
    error: user && !data ? error : null,
    onRetry: () => void refetch(),
    // A button that is shown before the session is known and leaves for the subscription would lose a press.
    isKnown: isGuest || (user !== undefined && !isPending),
    choice: (plan) => choiceOf(plan, plans, current, subscription),
    country,
    onCountry,
    chosen: user ? chosen : '',
    onChoose: (plan) => requireUser(() => push({ plan })),
    onClose: () => replace({ plan: '' }),
  }
}
