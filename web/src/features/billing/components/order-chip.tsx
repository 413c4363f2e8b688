import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/api/types'
import { Chip } from '@/shared/ui/chip'
import { isGiven, ORDER_TONES } from '../orders-model'

/** The state of a purchase, or how the user was given something. */
export function OrderChip({ order: { type, status } }: { order: Pick<Order, 'type' | 'status'> }) {
  const { t } = useTranslation('orders')
  return isGiven({ type }) ? (
    <Chip tone="plain">{t(`type.${type}`)}</Chip>
  ) : (
    <Chip tone={ORDER_TONES[status]}>{t(`status.${status}`)}</Chip>
  )
}
