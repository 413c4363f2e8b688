import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Order } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Spinner } from '@/shared/ui/spinner'
import { orderQuery, refreshOrder, useCompleteOrder } from '../orders-api'
import { ASKING_MS, isSettled, pauseAfter, RETURN } from '../orders-model'
import { useFailureText } from '../use-failure-text'
import { Notice } from './notice'
import { OpenOrderActions } from './open-order-actions'
import styles from './orders.module.css'

/** The result of the order with which the buyer comes back from the provider. */
export function ReturnedOrder({ id }: { id: string }) {
  const [{ order: inAddress, canceled }, { replace }] = useUrlParams(RETURN)
  const [wasCanceled] = useState(canceled === '1')
  const { order, error, isLate, again } = useReturned(id, wasCanceled)
  const isOver = (order !== undefined && isSettled(order)) || isUnknown(error)
  // Completing an order again changes nothing. The address can forget it once nothing more happens.
  useEffect(() => {
    if (isOver && inAddress) replace({ order: '', canceled: '' })
  }, [isOver, inAddress, replace])
  if (order) return <Result order={order} wasCanceled={wasCanceled} isLate={isLate} />
  return error ? <Unanswered error={error} onRetry={again} /> : <Asking />
}

/** No order of the user has this id, or it is no id. */
const isUnknown = (error: unknown) => isApiError(error, 404) || isApiError(error, 400)

/** Completes the order once, unless the buyer canceled, and asks for it while its payment is under way. */
function useReturned(id: string, wasCanceled: boolean) {
  const client = useQueryClient()
  const complete = useCompleteOrder()
  const { mutate } = complete
  const [startedAt] = useState(Date.now)
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    if (!wasCanceled) mutate(id)
  }, [id, wasCanceled, mutate])
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), ASKING_MS)
    return () => clearTimeout(timer)
  }, [])
  const query = useQuery({
    ...orderQuery(id),
    enabled: wasCanceled || complete.isSuccess,
    refetchInterval: ({ state }) => (state.data?.isSettling && !isLate ? pauseAfter(Date.now() - startedAt) : false),
  })
  const order = query.data
  useEffect(() => {
    if (order && isSettled(order)) refreshOrder(client, order)
  }, [client, order])
  const again = () => {
    if (wasCanceled) void query.refetch()
    else mutate(id)
  }
  return { order, error: complete.error ?? query.error, isLate, again }
}

function Asking() {
  const { t } = useTranslation('orders')
  return <Notice tone="plain" icon="clock" text={t('return.asking')} action={<Spinner />} />
}

function Unanswered({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('orders')
  const text = useProblemText()
  if (isUnknown(error)) return <Notice tone="bad" icon="warning" text={t('return.unknown')} />
  const action = (
    <div className={styles.actions}>
      <Button onClick={onRetry}>{t('return.again')}</Button>
    </div>
  )
  return <Notice tone="bad" icon="warning" text={t('return.failed', { message: text(error) })} action={action} />
}

function Result({ order, wasCanceled, isLate }: { order: Order; wasCanceled: boolean; isLate: boolean }) {
  const { t } = useTranslation('orders')
  const failure = useFailureText()(order)
  const action = <Next order={order} />
  if (order.status === 'Paid') {
    const credits = order.credits + order.bonusCredits
    return <Notice tone="good" icon="check" text={t('return.paid', { count: credits })} action={action} />
  }
  if (order.status === 'Failed') {
    const reason = failure ?? t('failure.OTHER')
    return <Notice tone="bad" icon="warning" text={t('return.notPaid', { reason })} action={action} />
  }
  if (order.status !== 'Ready') {
    return <Notice tone="plain" icon="reset" text={t(`return.${order.status}`)} action={action} />
  }
  if (order.isSettling) {
    return isLate ? <Notice tone="plain" icon="clock" text={t('return.late')} /> : <Asking />
  }
  const words = (!wasCanceled && failure) || t(wasCanceled ? 'return.stopped' : 'return.open')
  return <Notice tone="plain" icon="warning" text={words} action={action} />
}

/** What the buyer can do next. */
function Next({ order }: { order: Order }) {
  const { t } = useTranslation('orders')
  return (
    <div className={styles.actions}>
      {order.status === 'Ready' ? (
        <OpenOrderActions order={order} size="normal" />
      ) : order.status === 'Paid' ? (
        <ButtonLink to={paths.account('credits')}>{t('return.credits')}</ButtonLink>
      ) : (
        <ButtonLink to={paths.pricing()}>{t('return.shop')}</ButtonLink>
      )}
    </div>
  )
}
