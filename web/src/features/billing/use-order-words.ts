import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { formatMoney, isGiven } from './orders-model'

type Bought = Pick<Order, 'kind' | 'plan' | 'isChange' | 'periodFrom' | 'periodUntil'>

/** What an order of a plan paid or gave: a period of it, or the difference to a larger plan. Null for credits. */
export function useOrderWords(): (order: Bought) => string | null {
  const { t } = useTranslation('subscription')
  return useCallback(
    ({ kind, plan, isChange, periodFrom, periodUntil }) => {
      if (kind !== 'Subscription') return null
      if (!periodFrom) return plan ?? null
      if (!periodUntil) return t('order.endless', { plan, from: formatDate(periodFrom) })
      const period = { plan, from: formatDate(periodFrom), until: formatDate(periodUntil) }
      return t(isChange ? 'order.change' : 'order.period', period)
    },
    [t],
  )
}

/** The name of an order. Credits from an admin have none of their own. */
export function useOrderName(): (order: Pick<Order, 'name' | 'type' | 'kind'>) => string {
  const { t } = useTranslation('orders')
  return useCallback(
    ({ name, type, kind }) => (type === 'Free' && kind === 'Credit' ? t('own.givenCredits') : name),
    [t],
  )
}

/** What an order costs. */
export function useOrderPrice(): (order: Pick<Order, 'amount' | 'currency' | 'type'>) => string {
  const { t, i18n } = useTranslation('orders')
  return useCallback(
    (order) => (isGiven(order) ? t('own.free') : formatMoney(order.amount, order.currency, i18n.language)),
    [t, i18n.language],
  )
}
