import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Subscription } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Outcome } from '@/shared/ui/outcome'
import { Spinner } from '@/shared/ui/spinner'
import { useSubscription } from '../subscription-api'
import { changeResult, isSettlingOf } from '../subscription-model'
import { useFailureText } from '../use-failure-text'
import styles from './shop.module.css'

type PlanResultProps = { answer: Subscription; plan: string; onAgain: () => void; onClose: () => void }

/** What became of the payment of a plan. It is asked for while the payment is under way. */
export function PlanResult({ answer, plan, onAgain, onClose }: PlanResultProps) {
  const { t } = useTranslation('subscription')
  const isSettling = isSettlingOf(answer)
  const { data, isLate } = useSubscription(isSettling)
  const subscription = (isSettling && data) || answer
  const done = (
    <div className={styles.next}>
      <ButtonLink to={paths.account('subscription')}>{t('result.subscription')}</ButtonLink>
      <Button tone="primary" onClick={onClose}>
        {t('result.done')}
      </Button>
    </div>
  )
  const again = (
    <div className={styles.next}>
      <ButtonLink to={paths.account('payment')}>{t('result.cards')}</ButtonLink>
      <Button tone="primary" onClick={onAgain}>
        {t('result.again')}
      </Button>
    </div>
  )
  return <Result subscription={subscription} plan={plan} isLate={isLate} done={done} again={again} />
}

type ResultProps = { subscription: Subscription; plan: string; isLate: boolean; done: ReactNode; again: ReactNode }

function Result({ subscription, plan, isLate, done, again }: ResultProps) {
  const { t } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const { order, status, periodUntil } = subscription
  const failure = useFailureText()(order)
  const isPaid = order?.status === 'Paid' && order.plan === plan
  const result = status === 'Ended' ? 'failed' : status === 'Pending' ? 'settling' : changeResult(subscription, plan)
  if (result === 'now') {
    const words = isPaid ? t('result.paid', { plan, count: order.credits }) : t('result.now', { plan })
    return <Outcome tone="good" icon="check" text={words} action={done} />
  }
  if (result === 'planned') {
    const words = t('result.planned', { plan, date: formatDate(periodUntil) })
    return <Outcome tone="good" icon="check" text={words} action={done} />
  }
  if (result === 'settling') {
    return isLate ? (
      <Outcome tone="plain" icon="clock" text={t('result.late')} action={done} />
    ) : (
      <Outcome tone="plain" icon="clock" text={t('result.asking')} action={<Spinner />} />
    )
  }
  const reason = failure ?? orders('failure.OTHER')
  const words = status === 'Ended' ? reason : t('result.stays', { reason, plan: subscription.plan })
  return <Outcome tone="bad" icon="warning" text={words} action={again} />
}
