import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PersonMoney as Money, Order, Subscription } from '@/shared/api/types'
import { formatDate, formatMoment, formatNumber } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { personMoneyQuery } from '../money-api'
import { formatMoney } from '../orders-model'
import { isLive, MAX_TRIES, STATE_TONES, stateDay, stateOf } from '../subscription-model'
import { useOrderName, useOrderPrice, useOrderWords } from '../use-order-words'
import { OrderChip } from './order-chip'
import { PersonGrants } from './person-grants'
import styles from './person-money.module.css'

type PersonMoneyProps = { id: string; email: string }

/** The plan, credits and newest orders of a person. */
export default function PersonMoney({ id, email }: PersonMoneyProps) {
  const { t } = useTranslation('money')
  const found = useQuery(personMoneyQuery(id))
  return (
    <section className={styles.part} aria-labelledby="person-money">
      <h3 id="person-money" className={styles.title}>
        {t('title')}
      </h3>
      {found.data ? (
        <>
          <Facts money={found.data} />
          <PersonGrants user={id} grants={found.data.grants} />
          <Orders orders={found.data.orders} email={email} />
        </>
      ) : found.isError ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <div className={styles.part} aria-busy="true">
          <Skeleton style={{ height: 120, borderRadius: 8 }} />
          <Skeleton style={{ height: 160, borderRadius: 8 }} />
        </div>
      )}
    </section>
  )
}

function Facts({ money }: { money: Money }) {
  const { t, i18n } = useTranslation('money')
  const { plan, ownPlan, givenPlan, subscription, balance } = money
  const given = givenPlan ? t('givenUntil', { plan: givenPlan.plan, day: formatDate(givenPlan.until) }) : t('none')
  const facts: [string, string][] = [
    [t('plan'), plan],
    [t('ownPlan'), ownPlan],
    [t('givenPlan'), given],
    [t('available'), formatNumber(balance.available, i18n.language)],
    [t('held'), formatNumber(balance.held, i18n.language)],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
      <div className={styles.whole}>
        <dt>{t('subscription')}</dt>
        <dd>{subscription ? <Subscribed subscription={subscription} /> : t('none')}</dd>
      </div>
      {isLive(subscription) && <NextCharge subscription={subscription} />}
    </dl>
  )
}

function Subscribed({ subscription }: { subscription: Subscription }) {
  const { t, i18n } = useTranslation('money')
  const { t: words } = useTranslation('subscription')
  const { plan, amount, currency, tries } = subscription
  const state = stateOf(subscription)
  return (
    <span className={styles.line}>
      {t('subscribed', { plan, price: formatMoney(amount, currency, i18n.language) })}
      <Chip tone={STATE_TONES[state]}>{words(`state.${state}`, { date: formatDate(stateDay(subscription)) })}</Chip>
      {state === 'pastDue' && <span>{words('subscribers.tries', { tries, most: MAX_TRIES })}</span>}
    </span>
  )
}

function NextCharge({ subscription }: { subscription: Subscription }) {
  const { t, i18n } = useTranslation('money')
  const { amount, nextAmount, currency, isCanceled, nextTryAt, periodUntil } = subscription
  const price = formatMoney(nextAmount ?? amount, currency, i18n.language)
  const isCharged = !isCanceled && subscription.status !== 'Pending'
  return (
    <div className={styles.whole}>
      <dt>{t('nextCharge')}</dt>
      <dd>{isCharged ? t('chargeOn', { price, day: formatDate(nextTryAt ?? periodUntil) }) : t('none')}</dd>
    </div>
  )
}

function Orders({ orders, email }: { orders: Order[]; email: string }) {
  const { t } = useTranslation('money')
  return (
    <section className={styles.part} aria-labelledby="person-orders">
      <h4 id="person-orders" className={styles.subtitle}>
        {t('orders')}
      </h4>
      {orders.length === 0 ? (
        <p className={styles.muted}>{t('ordersEmpty')}</p>
      ) : (
        <ul className={styles.list}>
          {orders.map((order) => (
            <li key={order._id} className={styles.row}>
              <OrderLine order={order} />
            </li>
          ))}
        </ul>
      )}
      <div>
        <ButtonLink size="small" tone="outline" icon="log" to={paths.admin.orders(email)}>
          {t('allOrders')}
        </ButtonLink>
      </div>
    </section>
  )
}

function OrderLine({ order }: { order: Order }) {
  const { t, i18n } = useTranslation('money')
  const bought = useOrderWords()(order)
  const name = useOrderName()(order)
  const price = useOrderPrice()(order)
  const money = (amount: number) => formatMoney(amount, order.currency, i18n.language)
  return (
    <>
      <span className={styles.words}>
        <Link className={styles.name} to={paths.admin.orders(order._id)}>
          {name}
        </Link>
        {bought && <span className={styles.muted}>{bought}</span>}
        <time className={styles.muted} dateTime={order.createdAt}>
          {formatMoment(order.createdAt, i18n.language)}
        </time>
      </span>
      <span className={styles.line}>
        <span className={styles.amount}>{price}</span>
        <OrderChip order={order} />
        {order.refundedAmount > 0 && <span>{t('refunded', { amount: money(order.refundedAmount) })}</span>}
      </span>
    </>
  )
}
