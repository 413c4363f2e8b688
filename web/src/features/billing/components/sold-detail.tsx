import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { OrderRefund, SoldOrder } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { usePersonName } from '@/shared/lib/person-name'
import { Chip } from '@/shared/ui/chip'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { formatMoney, hasReceipt } from '../orders-model'
import { soldOrderQuery } from '../sold-api'
import { leftOf, REFUND_TONES, restOf } from '../sold-model'
import { OrderFacts } from './order-receipt'
import { RefundForm } from './refund-form'
import styles from './sold.module.css'

/** An order with its refunds, and a form for the next one. */
export function SoldDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const order = useQuery(soldOrderQuery(id))
  if (order.data) return <Detail order={order.data} onClose={onClose} />
  if (order.isError) return <ErrorState error={order.error} onRetry={() => void order.refetch()} />
  return <Skeleton style={{ height: 320, borderRadius: 12 }} />
}

function Detail({ order, onClose }: { order: SoldOrder; onClose: () => void }) {
  const { t } = useTranslation('orders')
  const nameOf = usePersonName()
  const left = t('sold.creditsLeft')
  return (
    <div className={styles.detail}>
      <OrderFacts
        order={order}
        parties={[
          [t('details.buyer'), nameOf(order.user)],
          [left, hasReceipt(order) ? t('credits', { count: leftOf(order) }) : null],
        ]}
      />
      {order.refunds.length > 0 && <Refunds order={order} />}
      {order.status === 'Paid' && restOf(order) > 0 && <RefundForm order={order} onClose={onClose} />}
    </div>
  )
}

function Refunds({ order }: { order: SoldOrder }) {
  const { t } = useTranslation('orders')
  return (
    <section aria-labelledby="refunds">
      <h2 id="refunds">{t('details.refunds')}</h2>
      <ul className={styles.refunds}>
        {order.refunds.map((refund) => (
          <li key={refund._id}>
            <Refund refund={refund} order={order} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Refund({ refund, order }: { refund: OrderRefund; order: SoldOrder }) {
  const { t, i18n } = useTranslation('orders')
  const { amount, credits, bonusCredits, reason, status, createdAt, endedAt } = refund
  const at = endedAt ?? createdAt
  return (
    <>
      <p className={styles.status}>
        {t('own.price', { price: formatMoney(amount, order.currency, i18n.language), count: credits })}
        <Chip tone={REFUND_TONES[status]}>{t(`sold.refundStatus.${status}`)}</Chip>
      </p>
      {bonusCredits > 0 && <p>{t('own.bonusTaken', { count: bonusCredits })}</p>}
      <p>{reason}</p>
      <time dateTime={at}>{formatMoment(at, i18n.language)}</time>
    </>
  )
}
