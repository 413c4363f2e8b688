import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Subscription } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { Spinner } from '@/shared/ui/spinner'
import { useCompleteSubscription } from '../subscription-api'
import { PAYPAL_RETURN, stateOf } from '../subscription-model'
import { Notice } from './notice'
import styles from './orders.module.css'

/** What the buyer did at PayPal. PayPal is asked once; the subscription then shows the result. */
export function ReturnedFromPayPal({ subscription, isLate }: { subscription: Subscription; isLate: boolean }) {
  const { t } = useTranslation('subscription')
  const [{ paypal }, { replace }] = useUrlParams(PAYPAL_RETURN)
  const [how] = useState(paypal)
  const complete = useCompleteSubscription()
  const text = useProblemText()
  const { mutate } = complete
  useEffect(() => {
    if (how === 'returned') mutate()
  }, [how, mutate])
  // Asking again changes nothing, but only a lost request is worth it.
  const isOver = how === 'canceled' || complete.isSuccess
  useEffect(() => {
    if (isOver && paypal) replace({ paypal: '' })
  }, [isOver, paypal, replace])
  const isWaiting = stateOf(subscription) === 'approving'
  if (complete.error) {
    const action = (
      <div className={styles.actions}>
        <Button onClick={() => mutate()}>{t('own.paypal.ask')}</Button>
      </div>
    )
    const words = t('own.paypal.askFailed', { message: text(complete.error) })
    return <Notice tone="bad" icon="warning" text={words} action={action} />
  }
  if (how === 'returned' && (isWaiting || complete.isPending)) {
    return isLate ? (
      <Notice tone="plain" icon="clock" text={t('result.late')} />
    ) : (
      <Notice tone="plain" icon="clock" text={t('own.paypal.asking')} action={<Spinner />} />
    )
  }
  if (how === 'canceled' && isWaiting) {
    return <Notice tone="plain" icon="warning" text={t('own.paypal.stopped')} />
  }
  return null
}
