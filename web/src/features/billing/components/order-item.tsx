import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Order } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Dialog, useConfirm } from '@/shared/ui/dialog'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { useReturnOrder } from '../orders-api'
import { formatMoney, hasReceipt, isGiven, isOpen } from '../orders-model'
import { isOfRunningPeriod } from '../subscription-model'
import { useFailureText } from '../use-failure-text'
import { useOrderName, useOrderPrice, useOrderWords } from '../use-order-words'
import { OpenOrderActions } from './open-order-actions'
import { OrderChip } from './order-chip'
import { OrderReceipt } from './order-receipt'
import styles from './orders.module.css'

/** An order in the list of its buyer. */
export function OrderItem({ order }: { order: Order }) {
  const { t, i18n } = useTranslation('orders')
  const { credits, currency, createdAt, refundedAmount, refundedCredits } = order
  const failure = useFailureText()(order)
  const bought = useOrderWords()(order)
  const name = useOrderName()(order)
  const price = useOrderPrice()(order)
  return (
    <article className={styles.item} aria-label={name}>
      <div className={styles.top}>
        <p className={styles.name}>{name}</p>
        <OrderChip order={order} />
      </div>
      {bought && <p>{bought}</p>}
      <p>{credits > 0 || !isGiven(order) ? t('own.price', { price, count: credits }) : price}</p>
      <Extras order={order} />
      <p className={styles.note}>
        <time dateTime={createdAt}>{formatMoment(createdAt, i18n.language)}</time>
      </p>
      {failure && <p className={styles.failure}>{failure}</p>}
      {order.isSettling && <p className={styles.note}>{t('own.settling')}</p>}
      {refundedAmount > 0 && (
        <p className={styles.note}>
          {t('own.refunded', { amount: formatMoney(refundedAmount, currency, i18n.language), count: refundedCredits })}
        </p>
      )}
      <Actions order={order} />
    </article>
  )
}

/** The bonus, the discount and the coupon of an order. */
function Extras({ order: { bonusCredits, percentOff, couponCode } }: { order: Order }) {
  const { t } = useTranslation('orders')
  return (
    <>
      {bonusCredits > 0 && <p>{t('own.bonus', { count: bonusCredits })}</p>}
      {percentOff && (
        <p className={styles.note}>
          {`${t('details.discount')}: ${t('details.discountOf', { percent: percentOff, code: couponCode })}`}
        </p>
      )}
      {couponCode && !percentOff && <p className={styles.note}>{`${t('details.code')}: ${couponCode}`}</p>}
    </>
  )
}

function Actions({ order }: { order: Order }) {
  const { t } = useTranslation('orders')
  const [isOpened, setIsOpened] = useState(false)
  const close = () => setIsOpened(false)
  return (
    <div className={styles.actions}>
      {isOpen(order) && <OpenOrderActions order={order} size="small" />}
      <Button size="small" icon="log" onClick={() => setIsOpened(true)}>
        {t('details.open')}
      </Button>
      {order.refundableUntil && <RefundButton order={order} />}
      <Dialog open={isOpened} onClose={close} title={t(hasReceipt(order) ? 'details.receipt' : 'details.title')}>
        <OrderReceipt order={order} />
      </Dialog>
    </div>
  )
}

function RefundButton({ order }: { order: Order }) {
  const { t, i18n } = useTranslation('orders')
  const confirm = useConfirm()
  const toasts = useResultToasts()
  const refund = useReturnOrder()
  const { t: subscription } = useTranslation('subscription')
  const amount = formatMoney(order.amount - order.refundedAmount, order.currency, i18n.language)
  const bonus = order.bonusCredits - order.refundedBonusCredits
  const words = [
    t('refund.text', { amount, count: order.credits - order.refundedCredits }),
    ...(bonus > 0 ? [t('refund.bonus', { count: bonus })] : []),
  ].join(' ')
  const ask = async () => {
    const yes = await confirm({
      title: t('refund.title', { name: order.name }),
      text: isOfRunningPeriod(order) ? `${words} ${subscription('order.refundEnds', { plan: order.plan })}` : words,
      action: t('refund.send'),
      danger: true,
    })
    if (yes)
      refund.mutate(
        order._id,
        toasts(t('refund.done'), (message) => t('refund.failed', { message })),
      )
  }
  return (
    <Button size="small" icon="undo" busy={refund.isPending} onClick={() => void ask()}>
      {t('refund.open')}
    </Button>
  )
}
