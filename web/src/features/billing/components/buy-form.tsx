import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { BillingCountry, Item, PurchaseQuote, Shop } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { type Form, useForm } from '@/shared/lib/use-form'
import { Button } from '@/shared/ui/button'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { MAX_TYPED_CODE } from '../model'
import { useCreateOrder } from '../orders-api'
import { CURRENCY_OF, cannotBuy, formatMoney } from '../orders-model'
import { newPrice } from '../subscription-model'
import { useDiscountCode } from '../use-discount-code'
import { useFirstBonus } from '../use-first-bonus'
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
type Draft = { code: string; isAgreed: boolean }

/** Says what is bought and for how much, and goes to the payment. The shown price is the one that is charged. */
export function BuyForm({ item, shop, country, onCountry, onClose }: BuyFormProps) {
  const { t } = useTranslation('orders')
  const { t: reason } = useTranslation('reasons')
  const text = useProblemText()
  const order = useCreateOrder()
  const navigate = useNavigate()
  const currency = CURRENCY_OF[country]
  const draft = useState<Draft>({ code: '', isAgreed: false })
  const discount = useDiscountCode(item, country, draft[0].code)
  const [changed, setChanged] = useState<{ price: number; country: BillingCountry } | null>(null)
  const listPrice = (changed?.country === country && changed.price) || item.prices[currency]
  const found = cannotBuy(item, shop, country)
  const obstacle = found ? t(`shop.obstacle.${found}`, { currency }) : undefined
  const mustAgree = reason('codes.TERMS_NOT_AGREED')
  const apply = () => {
    order.reset()
    discount.apply()
  }
  const form = useForm({
    start: { code: '', isAgreed: false },
    state: draft,
    // A typed code is applied first: its price must be seen before it is charged.
    check: ({ isAgreed }) => ({ country: obstacle, isAgreed: isAgreed || discount.isOpen ? undefined : mustAgree }),
    error: discount.error ?? order.error,
    refused: (error) => ({
      isAgreed: isApiError(error) && error.code === 'TERMS_NOT_AGREED' ? mustAgree : undefined,
      code: isAboutCode(error) ? text(error) : undefined,
    }),
    send: ({ isAgreed }) => {
      if (discount.isOpen) return apply()
      const { code, quote } = discount
      discount.reset()
      order.mutate(
        { itemId: item._id, country, ...(quote && { code }), amount: quote?.amount ?? listPrice ?? 0, isAgreed },
        {
          onSuccess: ({ _id, payAt }) => {
            // A saved card was charged. The page of the order tells the result.
            if (!payAt) void navigate(`${paths.account('orders')}&order=${encodeURIComponent(_id)}`)
          },
          onError: (error) => {
            const price = newPrice(error)
            if (price === null) return
            if (quote) discount.apply()
            else setChanged({ price, country })
          },
        },
      )
    },
  })
  usePageRestored(order.reset)
  return (
    <form {...form.form} className={styles.form}>
      <dl className={styles.facts}>
        <PurchaseFacts item={item} shop={shop} country={country} listPrice={listPrice} quote={discount.quote} />
      </dl>
      <CountryField country={country} onCountry={onCountry} error={obstacle} />
      <CodeField form={form} quote={discount.quote} isBusy={discount.isBusy} onApply={apply} />
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
      <FormActions onCancel={onClose} busy={order.isPending || order.isSuccess || discount.isBusy}>
        {t('buy.send')}
      </FormActions>
    </form>
  )
}

/** Refusals that belong to the field of the code. */
const isAboutCode = (error: unknown) => isApiError(error) && error.code.startsWith('COUPON_')

type PurchaseFactsProps = Pick<BuyFormProps, 'item' | 'shop' | 'country'> & {
  listPrice: number | null | undefined
  quote: PurchaseQuote | null
}

function PurchaseFacts({ item, shop, country, listPrice, quote }: PurchaseFactsProps) {
  const { t, i18n } = useTranslation('orders')
  const money = (amount: number | null | undefined) =>
    amount ? formatMoney(amount, CURRENCY_OF[country], i18n.language) : t('details.none')
  const firstBonus = useFirstBonus()
  const bonus = quote ? quote.bonusCredits : firstBonus(item.credits)
  const facts: Fact[] = [
    [t('buy.item'), item.name],
    [t('details.credits'), t('credits', { count: item.credits })],
    [t('details.bonus'), bonus > 0 ? t('credits', { count: bonus }) : null],
    [t('details.listPrice'), quote?.listAmount ? money(quote.listAmount) : null],
    [
      t('details.discount'),
      quote?.listAmount ? t('details.discountOf', { percent: quote.percentOff, code: quote.couponCode }) : null,
    ],
    [t('details.price'), money(quote?.amount ?? listPrice)],
    [t('details.provider'), shop.buying.isTest ? t('shop.test') : t('buy.elsewhere')],
  ]
  return <FactRows facts={facts} />
}

type CodeFieldProps = { form: Form<Draft>; quote: PurchaseQuote | null; isBusy: boolean; onApply: () => void }

function CodeField({ form, quote, isBusy, onApply }: CodeFieldProps) {
  const { t } = useTranslation('orders')
  return (
    <div className={styles.code}>
      <TextField
        label={t('buy.code')}
        help={t('buy.codeHelp')}
        maxLength={MAX_TYPED_CODE}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        {...form.field('code')}
      />
      <Button tone="outline" busy={isBusy} disabled={form.values.code.trim() === ''} onClick={onApply}>
        {t('buy.apply')}
      </Button>
      <p role="status" className={styles.applied}>
        {quote && t('buy.applied', { percent: quote.percentOff, code: quote.couponCode })}
      </p>
    </div>
  )
}
