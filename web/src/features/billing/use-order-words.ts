import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'

type Bought = Pick<Order, 'kind' | 'plan' | 'isChange' | 'periodFrom' | 'periodUntil'>

/** What an order of a plan paid: a period of it, or the difference to a larger plan. Null for a pack. */
export function useOrderWords(): (order: Bought) => string | null {
  const { t } = useTranslation('subscription')
  return useCallback(
    ({ kind, plan, isChange, periodFrom, periodUntil }) => {
      if (kind !== 'Subscription') return null
      if (!periodFrom || !periodUntil) return plan ?? null
      const period = { plan, from: formatDate(periodFrom), until: formatDate(periodUntil) }
      return t(isChange ? 'order.change' : 'order.period', period)
    },
    [t],
  )
}
