import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { BillingCountry, Item, Shop } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { useCreateOrder } from '../orders-api'
import { CURRENCY_OF, cannotBuy, formatMoney } from '../orders-model'
import { usePageRestored } from '../use-page-restored'
import { CountryField } from './country-field'
import styles from './shop.module.css'
import { TermsCheck } from './terms-check'

type BuyFormProps = {
  item: Item
  shop: Shop
  country: BillingCountry
  onCountry: (country: BillingCountry) => void
  onClose: () => void
}

/** Says what is bought and for how much, and goes to the payment. */
export function BuyForm({ item, shop, country, onCountry, onClose }: BuyFormProps) {
  const { t, i18n } = useTranslation('orders')
  const { t: reason } = useTranslation('reasons')
  const text = useProblemText()
  const order = useCreateOrder()
  const navigate = useNavigate()
  const currency = CURRENCY_OF[country]
  const price = item.prices[currency]
  const found = cannotBuy(item, shop, country)
  const obstacle = found ? t(`shop.obstacle.${found}`, { currency }) : undefined
  const mustAgree = reason('codes.TERMS_NOT_AGREED')
  const form = useForm({
    start: { isAgreed: false },
    check: ({ isAgreed }) => ({ country: obstacle, isAgreed: isAgreed ? undefined : mustAgree }),
    error: order.error,
    refused: (error) => ({ isAgreed: isApiError(error) && error.code === 'TERMS_NOT_AGREED' ? mustAgree : undefined }),
    send: ({ isAgreed }) =>
      order.mutate(
        { itemId: item._id, country, isAgreed },
        {
          onSuccess: ({ _id, payAt }) => {
            // A saved card was charged. The page of the order tells the result.
            if (!payAt) void navigate(`${paths.account('orders')}&order=${encodeURIComponent(_id)}`)
          },
        },
      ),
  })
  usePageRestored(order.reset)
  return (
    <form {...form.form} className={styles.form}>
      <dl className={styles.facts}>
        <dt>{t('buy.item')}</dt>
        <dd>{item.name}</dd>
        <dt>{t('details.credits')}</dt>
        <dd>{t('credits', { count: item.credits })}</dd>
        <dt>{t('details.price')}</dt>
        <dd>{price ? formatMoney(price, currency, i18n.language) : t('details.none')}</dd>
        <dt>{t('details.provider')}</dt>
        <dd>{shop.buying.isTest ? t('shop.test') : t('buy.elsewhere')}</dd>
      </dl>
      <CountryField country={country} onCountry={onCountry} error={obstacle} />
      <TermsCheck
        isAgreed={form.values.isAgreed}
        problem={form.problems.isAgreed}
        onChange={(isAgreed) => form.set({ isAgreed })}
      />
      {form.refusal !== null && (
        <FieldError>{isApiError(form.refusal, 503) ? t('buy.unavailable') : text(form.refusal)}</FieldError>
      )}
      {isApiError(form.refusal) && form.refusal.code === 'NO_PAYMENT_METHOD' && (
        <Link className={styles.link} to={paths.account('payment')}>
          {t('buy.addCard')}
        </Link>
      )}
      <FormActions onCancel={onClose} busy={order.isPending || order.isSuccess}>
        {t('buy.send')}
      </FormActions>
    </form>
  )
}
