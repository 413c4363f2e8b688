import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useUser } from '@/features/auth'
import { operatorQuery } from '@/features/legal'
import type { Order } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { formatMoney, hasReceipt, isGiven } from '../orders-model'
import { useOrderName, useOrderPrice, useOrderWords } from '../use-order-words'
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
      {hasReceipt(order) && (
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
  const name = useOrderName()(order)
  const price = useOrderPrice()(order)
  const isBought = !isGiven(order)
  const facts: [string, string | null | undefined][] = [
    [t('details.number'), order._id],
    ...parties,
    [t(isBought ? 'details.createdAt' : 'details.givenAt'), moment(order.createdAt)],
    [t('details.paidAt'), isBought ? moment(order.paidAt) : null],
    [t('details.item'), name],
    [t(isBought ? 'details.bought' : 'details.given'), bought],
    [t('details.credits'), isBought || order.credits > 0 ? t('credits', { count: order.credits }) : null],
    [t('details.bonus'), bonusCredits > 0 ? t('credits', { count: bonusCredits }) : null],
    [t('details.expiresAt'), moment(order.expiresAt)],
    [t('details.listPrice'), listAmount ? money(listAmount) : null],
    [
      t('details.discount'),
      listAmount ? t('details.discountOf', { percent: order.percentOff, code: order.couponCode }) : null,
    ],
    [t('details.price'), price],
    [t('details.type'), t(`type.${order.type}`)],
    [t('details.code'), listAmount ? null : order.couponCode],
    [t('details.provider'), isBought ? t(`provider.${order.provider}`) : null],
    [t('details.status'), isBought ? t(`status.${order.status}`) : null],
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
