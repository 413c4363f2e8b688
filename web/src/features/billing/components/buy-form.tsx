import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { BillingCountry, Item, Shop } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { SelectField } from '@/shared/ui/select'
import { useCreateOrder } from '../orders-api'
import { COUNTRIES, CURRENCY_OF, cannotBuy, formatMoney } from '../orders-model'
import { usePageRestored } from '../use-page-restored'
import styles from './shop.module.css'

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
  const currency = CURRENCY_OF[country]
  const price = item.prices[currency]
  const found = cannotBuy(item, shop, country)
  const obstacle = found ? t(`shop.obstacle.${found}`, { currency }) : undefined
  const mustAgree = reason('TERMS_NOT_AGREED')
  const form = useForm({
    start: { isAgreed: false },
    check: ({ isAgreed }) => ({ country: obstacle, isAgreed: isAgreed ? undefined : mustAgree }),
    error: order.error,
    refused: (error) => ({ isAgreed: isApiError(error) && error.code === 'TERMS_NOT_AGREED' ? mustAgree : undefined }),
    send: ({ isAgreed }) => order.mutate({ itemId: item._id, country, isAgreed }),
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
      <SelectField
        label={t('country.label')}
        help={t('country.help')}
        error={obstacle}
        value={country}
        onChange={({ target }) => onCountry(COUNTRIES.find((one) => one === target.value) ?? country)}
      >
        {COUNTRIES.map((one) => (
          <option key={one} value={one}>
            {t(`country.${one}`)}
          </option>
        ))}
      </SelectField>
      <Terms
        isAgreed={form.values.isAgreed}
        problem={form.problems.isAgreed}
        onChange={(isAgreed) => form.set({ isAgreed })}
      />
      {form.refusal !== null && (
        <FieldError>{isApiError(form.refusal, 503) ? t('buy.unavailable') : text(form.refusal)}</FieldError>
      )}
      <FormActions onCancel={onClose} busy={order.isPending || order.isSuccess}>
        {t('buy.send')}
      </FormActions>
    </form>
  )
}

type TermsProps = { isAgreed: boolean; problem: string | undefined; onChange: (isAgreed: boolean) => void }

function Terms({ isAgreed, problem, onChange }: TermsProps) {
  const { t } = useTranslation('orders')
  const id = useId()
  return (
    <div>
      <div className={styles.terms}>
        <label className={styles.check}>
          <input
            type="checkbox"
            required
            checked={isAgreed}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? id : undefined}
            onChange={({ target }) => onChange(target.checked)}
          />
          {t('buy.agree')}
        </label>
        {/* In a new tab: the dialog stays open. */}
        <Link to={paths.terms()} target="_blank" rel="noopener" aria-label={t('buy.readTerms')}>
          {t('buy.read')}
        </Link>
      </div>
      {problem && <FieldError id={id}>{problem}</FieldError>}
    </div>
  )
}
