import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { RedeemedCoupon } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { useUrlParams } from '@/shared/lib/url-params'
import { useForm } from '@/shared/lib/use-form'
import { Button, ButtonLink } from '@/shared/ui/button'
import { FieldError, TextField } from '@/shared/ui/field'
import { QueryRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { redeemedQuery, useRedeemCoupon } from '../api'
import { MAX_TYPED_CODE, REDEEM, tidyCode } from '../model'
import { useBenefitText } from '../use-benefit-text'
import styles from './own-coupons.module.css'

/** Redeems a coupon, and lists those that the user has redeemed. */
export default function OwnCoupons() {
  return (
    <>
      <RedeemForm />
      <Redeemed />
    </>
  )
}

/** A code in the address fills the field. It is not sent: a link must not redeem a coupon. */
function RedeemForm() {
  const { t } = useTranslation('coupons')
  const text = useProblemText()
  const benefitText = useBenefitText()
  const [{ code: linked }, { replace }] = useUrlParams(REDEEM)
  const redeem = useRedeemCoupon()
  const form = useForm({
    start: { code: tidyCode(linked) },
    check: ({ code }) => ({ code: tidyCode(code) ? undefined : t('redeem.missing') }),
    error: redeem.error,
    refused: (error) => ({ code: isAboutCode(error) ? text(error) : undefined }),
    send: ({ code }) =>
      redeem.mutate(tidyCode(code), {
        onSuccess: ({ benefit, until }) => {
          toast.success(t('redeem.done'), benefitText(benefit, until))
          form.reset({ code: '' })
          if (linked) replace({ code: '' })
        },
      }),
  })
  return (
    <form {...form.form} className={styles.form}>
      <div className={styles.line}>
        <TextField
          label={t('redeem.code')}
          placeholder={t('redeem.example')}
          className={styles.code}
          maxLength={MAX_TYPED_CODE}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="done"
          {...form.field('code')}
        />
        <Button type="submit" tone="primary" busy={redeem.isPending}>
          {t('redeem.send')}
        </Button>
      </div>
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
    </form>
  )
}

/** Refusals that belong to the field. Others, such as a lost connection, are not its fault. */
const isAboutCode = (error: unknown) => isApiError(error) && error.code.startsWith('COUPON_')

function Redeemed() {
  const { t } = useTranslation('coupons')
  const list = useInfiniteQuery(redeemedQuery())
  return (
    <section className={styles.section} aria-labelledby="redeemed-coupons">
      <h2 id="redeemed-coupons">{t('own.title')}</h2>
      <QueryRows
        list={list}
        skeleton={{ height: 66, count: 3 }}
        empty={
          <EmptyState
            icon="bolt"
            title={t('own.empty')}
            text={t('own.emptyText')}
            action={<ButtonLink to={paths.account('credits')}>{t('own.toCredits')}</ButtonLink>}
          />
        }
      >
        {(coupon) => <RedeemedItem coupon={coupon} />}
      </QueryRows>
    </section>
  )
}

function RedeemedItem({ coupon: { name, code, benefit, until, usedAt } }: { coupon: RedeemedCoupon }) {
  const { t, i18n } = useTranslation('coupons')
  const benefitText = useBenefitText()
  return (
    <div className={styles.item}>
      <p className={styles.name}>{name}</p>
      <p>{benefitText(benefit, until)}</p>
      <p className={styles.note}>
        <code>{code}</code>
        <time dateTime={usedAt}>{t('own.used', { when: formatRelative(usedAt, i18n.language) })}</time>
      </p>
    </div>
  )
}
