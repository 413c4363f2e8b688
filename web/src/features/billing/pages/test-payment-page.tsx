import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { SignCard } from '@/features/auth'
import { isApiError } from '@/shared/api/errors'
import type { TestPayment } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { PageError } from '@/shared/ui/page-error'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
import { TestAnswers } from '../components/test-answers'
import { formatMoney, TEST_ANSWERS } from '../orders-model'
import { testPaymentQuery, useAnswerTestPayment } from '../test-provider-api'
import { usePageRestored } from '../use-page-restored'
import styles from './test-payment-page.module.css'

/** Stands in for the page of a payment provider. No money moves. */
export default function TestPaymentPage() {
  const { paymentId = '' } = useParams()
  const payment = useQuery(testPaymentQuery(paymentId))
  usePageRestored(() => void payment.refetch())
  if (payment.data) return <Payment payment={payment.data} />
  if (payment.isError) return <PageError error={payment.error} onRetry={() => void payment.refetch()} />
  return <PageSpinner />
}

function Payment({ payment }: { payment: TestPayment }) {
  const { t, i18n } = useTranslation('orders')
  return (
    <SignCard title={t('test.title')}>
      <p className={styles.warning}>{t('test.warning')}</p>
      <dl className={styles.facts}>
        <dt>{t('test.description')}</dt>
        <dd>{payment.description}</dd>
        <dt>{t('test.amount')}</dt>
        <dd>{formatMoney(payment.amount, payment.currency, i18n.language)}</dd>
      </dl>
      {payment.state === 'Created' ? <Answers payment={payment} /> : <Answered />}
    </SignCard>
  )
}

function Answers({ payment: { _id, cancelUrl } }: { payment: TestPayment }) {
  const { t } = useTranslation('orders')
  const answer = useAnswerTestPayment(_id)
  if (isApiError(answer.error) && answer.error.code === 'TEST_PAYMENT_ANSWERED') return <Answered />
  return (
    <TestAnswers
      answers={TEST_ANSWERS}
      titleOf={(one) => t(`test.answers.${one}`)}
      answer={answer}
      cancel={{ url: cancelUrl, title: t('test.cancel') }}
    />
  )
}

function Answered() {
  const { t } = useTranslation('orders')
  const action = (
    <ButtonLink to={paths.account('orders')} tone="primary">
      {t('test.orders')}
    </ButtonLink>
  )
  return <EmptyState icon="check" title={t('test.answered')} action={action} />
}
