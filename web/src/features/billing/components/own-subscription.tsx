import { useTranslation } from 'react-i18next'
import type { Subscription } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { formatMoney } from '../orders-model'
import { useSubscription } from '../subscription-api'
import { MAX_TRIES, STATE_TONES, stateDay, stateOf } from '../subscription-model'
import { useFailureText } from '../use-failure-text'
import styles from './orders.module.css'
import receipt from './receipt.module.css'
import { ReturnedFromPayPal } from './returned-from-paypal'
import { PlannedChange, SubscriptionActions } from './subscription-actions'

/** The subscription of the user: what it costs, what comes next, and what can be done. */
export default function OwnSubscription() {
  const { t } = useTranslation('subscription')
  const { data, error, isPending, isLate, refetch } = useSubscription()
  if (isPending) return <Skeleton style={{ height: 200, borderRadius: 12 }} />
  if (data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data) {
    return (
      <>
        <ReturnedFromPayPal subscription={data} isLate={isLate} />
        <Facts subscription={data} isLate={isLate} />
      </>
    )
  }
  return (
    <EmptyState
      icon="star"
      title={t('own.empty')}
      text={t('own.emptyText')}
      action={
        <ButtonLink to={paths.pricing()} tone="primary">
          {t('own.plans')}
        </ButtonLink>
      }
    />
  )
}

function Facts({ subscription, isLate }: { subscription: Subscription; isLate: boolean }) {
  const { t, i18n } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const { plan, amount, currency, credits, periodUntil, isCanceled, method, nextAmount, paidWith } = subscription
  const state = stateOf(subscription)
  const money = (value: number) => formatMoney(value, currency, i18n.language)
  const isRenewed = state !== 'ended' && !isCanceled && subscription.status !== 'Pending'
  const facts: Fact[] = [
    [t('price'), money(amount)],
    [t('credits'), orders('credits', { count: credits })],
    [
      t('own.nextBilling'),
      state === 'active'
        ? t('change.next', { date: formatDate(periodUntil), price: money(nextAmount ?? amount) })
        : null,
    ],
    [t('own.paypal.paidWith'), paidWith === 'PayPal' ? paidWith : null],
    [
      t('card.charged'),
      isRenewed && paidWith === 'Card'
        ? method
          ? t('card.name', { issuer: method.issuer, label: method.label })
          : t('own.noCard')
        : null,
    ],
  ]
  return (
    <section className={styles.item} aria-labelledby="own-subscription">
      <div className={styles.top}>
        <h2 id="own-subscription">{t('own.title', { plan })}</h2>
        <Chip tone={STATE_TONES[state]}>{t(`state.${state}`, { date: formatDate(stateDay(subscription)) })}</Chip>
      </div>
      <Explanation subscription={subscription} isLate={isLate} />
      {state !== 'ended' && (
        <dl className={receipt.facts}>
          <FactRows facts={facts} />
        </dl>
      )}
      <PlannedChange subscription={subscription} />
      <SubscriptionActions subscription={subscription} />
    </section>
  )
}

/** What the state means, where the word for it is not enough. */
function Explanation({ subscription, isLate }: { subscription: Subscription; isLate: boolean }) {
  const { t } = useTranslation('subscription')
  const failureText = useFailureText()
  const { order, tries, nextTryAt, endReason, periodUntil } = subscription
  const state = stateOf(subscription)
  const isAtPayPal = subscription.paidWith === 'PayPal'
  const failure = failureText(order)
  if (state === 'settling') return <p className={styles.note}>{t(isLate ? 'result.late' : 'result.asking')}</p>
  if (state === 'approving') return <p className={styles.note}>{t('own.paypal.approve')}</p>
  if (state === 'ending') {
    const words = t('own.usableUntil', { date: formatDate(periodUntil) })
    return <p className={styles.note}>{isAtPayPal ? `${words} ${t('own.paypal.usable')}` : words}</p>
  }
  if (state === 'ended') return <p className={styles.note}>{t(`own.ended.${endReason ?? 'Canceled'}`)}</p>
  if (state !== 'pastDue') return null
  if (isAtPayPal) {
    return <p className={styles.failure}>{t('own.paypal.failed', { date: formatDate(periodUntil) })}</p>
  }
  return (
    <>
      <p className={styles.failure}>
        {nextTryAt
          ? t('own.nextTry', { date: formatDate(nextTryAt), tries, most: MAX_TRIES })
          : t('own.lastTry', { tries, most: MAX_TRIES })}
      </p>
      {failure && <p className={styles.note}>{failure}</p>}
    </>
  )
}
