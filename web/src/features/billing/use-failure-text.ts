import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/api/types'
import { failureOf } from './orders-model'

type Failed = Pick<Order, 'failure' | 'declineReason'>

/** Why an order was not paid: why its card was declined, if the provider has said so. Null without a failure. */
export function useFailureText(): (order: Failed | null | undefined) => string | null {
  const { t, i18n } = useTranslation('orders')
  const { t: reasons } = useTranslation('reasons')
  return useCallback(
    (order) => {
      const failure = order && failureOf(order)
      if (!failure) return null
      const reason = failure === 'DECLINED' ? order.declineReason : null
      // A newer server may know more reasons.
      return reason && i18n.exists(`reasons:card.${reason}`) ? reasons(`card.${reason}`) : t(`failure.${failure}`)
    },
    [t, reasons, i18n],
  )
}
