import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { operatorQuery } from '@/features/legal'
import type { Order } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { formatMoney } from '../orders-model'
import { useOrderWords } from '../use-order-words'
import styles from './receipt.module.css'

/** The facts of an order for its buyer. A paid one can be printed as a receipt. */
export function OrderReceipt({ order }: { order: Order }) {
  const { t } = useTranslation('orders')
  const user = useUser()
  const operator = useQuery(operatorQuery()).data
  const parties: [string, string | null | undefined][] = [
    [t('details.seller'), operator?.name],
    [t('details.buyer'), user?.email ?? user?.name],
  ]
  return (
    <div className={styles.receipt}>
      <OrderFacts order={order} parties={parties} />
      {order.paidAt && (
        <div className={styles.print}>
          <Button icon="download" onClick={() => window.print()}>
            {t('details.print')}
          </Button>
        </div>
      )}
    </div>
  )
}

type OrderFactsProps = { order: Order; parties?: [string, string | null | undefined][] }

/** Number, times, provider, amounts and credits of an order. */
export function OrderFacts({ order, parties = [] }: OrderFactsProps) {
  const { t, i18n } = useTranslation('orders')
  const money = (amount: number) => formatMoney(amount, order.currency, i18n.language)
  const moment = (at: string | null | undefined) => at && formatMoment(at, i18n.language)
  const { refundedAmount, refundedCredits, refundedBonusCredits, bonusCredits, listAmount } = order
  const bought = useOrderWords()(order)
  const facts: [string, string | null | undefined][] = [
    [t('details.number'), order._id],
    ...parties,
    [t('details.createdAt'), moment(order.createdAt)],
    [t('details.paidAt'), moment(order.paidAt)],
    [t('details.item'), order.name],
    [t('details.bought'), bought],
    [t('details.credits'), t('credits', { count: order.credits })],
    [t('details.bonus'), bonusCredits > 0 ? t('credits', { count: bonusCredits }) : null],
    [t('details.expiresAt'), moment(order.expiresAt)],
    [t('details.listPrice'), listAmount ? money(listAmount) : null],
    [
      t('details.discount'),
      listAmount ? t('details.discountOf', { percent: order.percentOff, code: order.couponCode }) : null,
    ],
    [t('details.price'), money(order.amount)],
    [t('details.provider'), t(`provider.${order.provider}`)],
    [t('details.status'), t(`status.${order.status}`)],
    [
      t('details.refunds'),
      refundedAmount > 0
        ? [
            t('own.refunded', { amount: money(refundedAmount), count: refundedCredits }),
            ...(refundedBonusCredits > 0 ? [t('own.bonusTaken', { count: refundedBonusCredits })] : []),
          ].join(', ')
        : null,
    ],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([title, value]) => value && <Fact key={title} title={title} value={value} />)}
    </dl>
  )
}

const Fact = ({ title, value }: { title: string; value: string }) => (
  <div>
    <dt>{title}</dt>
    <dd>{value}</dd>
  </div>
)
