import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { BillingCountry, Item, PaymentMethods, Shop, Subscription } from '@/shared/api/types'
import { formatDate } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { FieldError } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { leaveFor } from '../leave-for'
import { methodsQuery } from '../methods-api'
import { cardFor } from '../methods-model'
import { CURRENCY_OF, formatMoney } from '../orders-model'
import { useSubscribe } from '../subscription-api'
import { cannotSubscribe, monthAfter, newPrice, paysWithPayPal } from '../subscription-model'
import { useAddCard } from '../use-add-card'
import { usePageRestored } from '../use-page-restored'
import { CardChoice } from './card-choice'
import { CardForm } from './card-form'
import { CountryField } from './country-field'
import { PlanResult } from './plan-result'
import styles from './shop.module.css'
import { TermsCheck } from './terms-check'

type SubscribeProps = {
  item: Item
  plan: string
  shop: Shop
  country: BillingCountry
  onCountry: (country: BillingCountry) => void
  onClose: () => void
}

/** Buys a plan: what it costs, the card that is charged, and what became of the payment. */
export function Subscribe(props: SubscribeProps) {
  const methods = useQuery(methodsQuery())
  const [answer, setAnswer] = useState<Subscription | null>(null)
  if (answer) {
    return <PlanResult answer={answer} plan={props.plan} onAgain={() => setAnswer(null)} onClose={props.onClose} />
  }
  if (methods.data) {
    return <SubscribeForm {...props} methods={methods.data} onAnswer={setAnswer} />
  }
  if (methods.isError) return <ErrorState error={methods.error} onRetry={() => void methods.refetch()} />
  return <Skeleton style={{ height: 320, borderRadius: 12 }} />
}

function SubscribeForm({
  item,
  plan,
  shop,
  country,
  onCountry,
  onClose,
  methods: { methods },
  onAnswer,
}: SubscribeProps & { methods: PaymentMethods; onAnswer: (answer: Subscription) => void }) {
  const { t, i18n } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const { t: reason } = useTranslation('reasons')
  const text = useProblemText()
  const subscribe = useSubscribe()
  const currency = CURRENCY_OF[country]
  const withPayPal = paysWithPayPal(country)
  const card = cardFor(methods, currency)
  const canSend = withPayPal || card !== null
  const addCard = useAddCard({ path: paths.pricing(plan), isDefault: card !== null })
  const [changed, setChanged] = useState<{ price: number; country: BillingCountry } | null>(null)
  const price = (changed?.country === country && changed.price) || item.prices[currency]
  const found = cannotSubscribe(item, shop, country)
  const obstacle = found ? t(`offer.obstacle.${found}`, { currency }) : undefined
  const mustAgree = reason('codes.TERMS_NOT_AGREED')
  const form = useForm({
    start: { isAgreed: false },
    check: ({ isAgreed }) => ({ country: obstacle, isAgreed: isAgreed || !canSend ? undefined : mustAgree }),
    error: subscribe.error,
    refused: (error) => ({ isAgreed: isApiError(error) && error.code === 'TERMS_NOT_AGREED' ? mustAgree : undefined }),
    send: ({ isAgreed }) => {
      if (!canSend) return addCard.add(country)
      const body = { itemId: item._id, country, amount: price ?? 0, isAgreed: isAgreed }
      subscribe.mutate(body, {
        onSuccess: (answer) => (answer.payAt ? leaveFor(answer.payAt) : onAnswer(answer)),
        onError: (error) => {
          const price = newPrice(error)
          if (price !== null) setChanged({ price, country })
        },
      })
    },
  })
  usePageRestored(subscribe.reset)
  if (addCard.form) {
    const { form, error, enter, close } = addCard
    return <CardForm opened={form} onWindow={enter} windowError={error} onClose={close} onSaved={close} />
  }
  const facts: Fact[] = [
    [t('plan'), plan],
    [t('price'), price ? formatMoney(price, currency, i18n.language) : orders('details.none')],
    [t('credits'), orders('credits', { count: item.credits })],
    [t('nextPayment'), formatDate(monthAfter(new Date()).toISOString())],
    [t('own.paypal.paidWith'), withPayPal ? 'PayPal' : null],
  ]
  return (
    <form {...form.form} className={styles.form}>
      {shop.buying.isTest && <p className={styles.test}>{orders('shop.test')}</p>}
      <dl className={styles.facts}>
        <FactRows facts={facts} />
      </dl>
      <CountryField country={country} onCountry={onCountry} error={obstacle} />
      {withPayPal ? (
        <p className={styles.muted}>{t('subscribe.paypal')}</p>
      ) : (
        <CardChoice
          methods={methods.filter((method) => method.currency === currency)}
          isBusy={addCard.isBusy}
          onOther={() => addCard.add(country)}
        />
      )}
      {canSend && (
        <TermsCheck
          isAgreed={form.values.isAgreed}
          problem={form.problems.isAgreed}
          onChange={(isAgreed) => form.set({ isAgreed })}
        />
      )}
      {addCard.error && <FieldError>{text(addCard.error)}</FieldError>}
      {form.refusal !== null && (
        <FieldError>{isApiError(form.refusal, 503) ? orders('buy.unavailable') : text(form.refusal)}</FieldError>
      )}
      <FormActions onCancel={onClose} busy={subscribe.isPending || subscribe.isSuccess || addCard.isBusy}>
        {t(withPayPal ? 'subscribe.approve' : card ? 'subscribe.send' : 'card.add')}
      </FormActions>
    </form>
  )
}
