import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { Item, PlanChange, Subscription } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { FieldError } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { formatMoney } from '../orders-model'
import { planChangeQuery, useChangePlan } from '../subscription-api'
import { newPrice } from '../subscription-model'
import { PlanResult } from './plan-result'
import styles from './shop.module.css'

type ChangePlanProps = { item: Item; subscription: Subscription; onClose: () => void }

/** Changes the plan: what is paid today and why, and what became of the payment. */
export function ChangePlan({ item, subscription, onClose }: ChangePlanProps) {
  const [answer, setAnswer] = useState<Subscription | null>(null)
  const change = useQuery({ ...planChangeQuery(item._id), enabled: answer === null })
  if (answer) {
    return (
      <PlanResult answer={answer} plan={item.plan ?? item.name} onAgain={() => setAnswer(null)} onClose={onClose} />
    )
  }
  if (change.data) {
    return (
      <ChangeForm item={item} change={change.data} subscription={subscription} onAnswer={setAnswer} onClose={onClose} />
    )
  }
  if (change.isError) return <ErrorState error={change.error} onRetry={() => void change.refetch()} />
  return <Skeleton style={{ height: 240, borderRadius: 12 }} />
}

type ChangeFormProps = Omit<ChangePlanProps, 'subscription'> & {
  change: PlanChange
  subscription: Subscription
  onAnswer: (answer: Subscription) => void
}

function ChangeForm({ item, change, subscription: { method, periodUntil }, onAnswer, onClose }: ChangeFormProps) {
  const { t, i18n } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const text = useProblemText()
  const put = useChangePlan()
  const { plan, when, currency, credits, daysLeft, daysOfPeriod, at, nextAmount } = change
  const [changed, setChanged] = useState<number | null>(null)
  const amount = changed ?? change.amount
  const money = (value: number) => formatMoney(value, currency, i18n.language)
  const isNow = when === 'Now'
  const form = useForm({
    start: {},
    error: put.error,
    send: () =>
      put.mutate(
        { itemId: item._id, amount },
        { onSuccess: onAnswer, onError: (error) => setChanged(newPrice(error) ?? changed) },
      ),
  })
  const facts: Fact[] = [
    [t('change.today'), money(amount)],
    [t('change.added'), orders('credits', { count: credits })],
    [t('nextPayment'), t('change.next', { date: formatDate(periodUntil), price: money(nextAmount) })],
    [t('card.charged'), method ? t('card.name', { issuer: method.issuer, label: method.label }) : null],
  ]
  return (
    <form {...form.form} className={styles.form}>
      {isNow ? (
        <>
          <dl className={styles.facts}>
            <FactRows facts={facts} />
          </dl>
          <p className={styles.muted}>{t('change.why', { count: daysLeft, days: daysOfPeriod })}</p>
        </>
      ) : (
        <>
          <p>{t('change.later', { plan, date: formatDate(at) })}</p>
          <p className={styles.muted}>{t('change.laterPrice', { price: money(nextAmount) })}</p>
        </>
      )}
      {form.refusal !== null && (
        <FieldError>{isApiError(form.refusal, 503) ? orders('buy.unavailable') : text(form.refusal)}</FieldError>
      )}
      {isApiError(form.refusal) && form.refusal.code === 'NO_PAYMENT_METHOD' && (
        <Link className={styles.link} to={paths.account('payment')}>
          {orders('buy.addCard')}
        </Link>
      )}
      <FormActions onCancel={onClose} busy={put.isPending}>
        {isNow ? t('change.pay', { price: money(amount) }) : t('change.plan')}
      </FormActions>
    </form>
  )
}
