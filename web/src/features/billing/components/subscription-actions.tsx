import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Subscription } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { leaveFor } from '../leave-for'
import { shopQuery } from '../orders-api'
import { formatMoney } from '../orders-model'
import { useCancelSubscription, useKeepPlan, useResumeSubscription, useRetryPayment } from '../subscription-api'
import { isChangeable, isSettlingOf, itemOf, stateOf } from '../subscription-model'
import { useFailureText } from '../use-failure-text'
import styles from './orders.module.css'

type SubscriptionProps = { subscription: Subscription }

/** The plan that follows, and the button that takes it back. */
export function PlannedChange({ subscription }: SubscriptionProps) {
  const { t, i18n } = useTranslation('subscription')
  const toasts = useResultToasts()
  const shop = useQuery(shopQuery()).data
  const keep = useKeepPlan()
  const { plan, nextPlan, nextAmount, amount, currency, periodUntil } = subscription
  if (!nextPlan || subscription.status === 'Ended') return null
  const item = shop && itemOf(shop, plan)
  const price = formatMoney(nextAmount ?? amount, currency, i18n.language)
  return (
    <div className={styles.planned}>
      <p>{t('own.planned', { plan: nextPlan, date: formatDate(periodUntil), price })}</p>
      {item && isChangeable(subscription) && (
        <Button
          size="small"
          tone="outline"
          icon="undo"
          busy={keep.isPending}
          onClick={() =>
            keep.mutate(
              item._id,
              toasts(t('own.kept', { plan }), (message) => t('own.changeFailed', { message })),
            )
          }
        >
          {t('own.keep', { plan })}
        </Button>
      )}
    </div>
  )
}

/** What can be done in the state of the subscription. */
export function SubscriptionActions({ subscription }: SubscriptionProps) {
  const { t } = useTranslation('subscription')
  const state = stateOf(subscription)
  const { payAt, testPage } = subscription
  const isByCard = subscription.paidWith === 'Card'
  const canCancel = state === 'approving' || (['active', 'pastDue'].includes(state) && !isSettlingOf(subscription))
  const link = (to: string, words: string) => (
    <ButtonLink to={to} size="small">
      {words}
    </ButtonLink>
  )
  return (
    <div className={styles.actions}>
      {state === 'ended' && link(paths.pricing(), t('own.plans'))}
      {payAt && (
        <Button size="small" tone="primary" onClick={() => leaveFor(payAt)}>
          {t('own.paypal.open')}
        </Button>
      )}
      {testPage && (
        <ButtonLink to={testPage} reloadDocument size="small">
          {t('own.paypal.test')}
        </ButtonLink>
      )}
      {state === 'pastDue' && isByCard && <Retry />}
      {state === 'pastDue' && isByCard && link(paths.account('payment'), t('result.cards'))}
      {isChangeable(subscription) && link(paths.pricing(), t('own.change'))}
      {state === 'ending' && isByCard && <Resume />}
      {canCancel && !subscription.isCanceled && <Cancel subscription={subscription} />}
    </div>
  )
}

function Retry() {
  const { t } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const text = useProblemText()
  const retry = useRetryPayment()
  const failureText = useFailureText()
  const tell = (subscription: Subscription) => {
    const { order, status } = subscription
    if (isSettlingOf(subscription)) return
    if (status === 'Active') toast.success(t('own.retried'))
    else toast.error(t('own.retryFailed', { message: failureText(order) ?? orders('failure.OTHER') }))
  }
  return (
    <Button
      size="small"
      tone="primary"
      icon="reset"
      busy={retry.isPending}
      onClick={() =>
        retry.mutate(undefined, {
          onSuccess: tell,
          onError: (error) => toast.error(t('own.retryFailed', { message: text(error) }), error),
        })
      }
    >
      {t('own.retry')}
    </Button>
  )
}

function Resume() {
  const { t } = useTranslation('subscription')
  const toasts = useResultToasts()
  const resume = useResumeSubscription()
  return (
    <Button
      size="small"
      tone="primary"
      busy={resume.isPending}
      onClick={() =>
        resume.mutate(
          undefined,
          toasts(t('own.resumed'), (message) => t('own.resumeFailed', { message })),
        )
      }
    >
      {t('own.resume')}
    </Button>
  )
}

/** Keys of `cancel`. */
const CANCEL_WORDS = {
  Pending: 'textPending',
  PastDue: 'textPastDue',
  Active: 'text',
  Ended: 'text',
} as const satisfies Record<Subscription['status'], string>

function Cancel({ subscription: { plan, periodUntil, status } }: SubscriptionProps) {
  const { t } = useTranslation('subscription')
  const confirm = useConfirm()
  const toasts = useResultToasts()
  const cancel = useCancelSubscription()
  const date = formatDate(periodUntil)
  const ask = async () => {
    const yes = await confirm({
      title: t('cancel.title', { plan }),
      text: t(`cancel.${CANCEL_WORDS[status]}`, { plan, date }),
      action: t('cancel.send'),
      keep: t('cancel.keep'),
      danger: true,
    })
    if (!yes) return
    cancel.mutate(
      undefined,
      toasts(t('cancel.done'), (message) => t('cancel.failed', { message })),
    )
  }
  return (
    <Button size="small" tone="danger" busy={cancel.isPending} onClick={() => void ask()}>
      {t('cancel.open')}
    </Button>
  )
}
