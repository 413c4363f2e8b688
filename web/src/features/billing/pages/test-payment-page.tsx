import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import type { TestPayment } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { TestAnswers } from '../components/test-answers'
import { TestAnswered, TestFacts, TestPage } from '../components/test-page'
import { formatMoney, TEST_ANSWERS } from '../orders-model'
import { testPaymentQuery, useAnswerTestPayment } from '../test-provider-api'

/** Stands in for the page of a payment provider. No money moves. */
export default function TestPaymentPage() {
  const { t } = useTranslation('orders')
  const { paymentId = '' } = useParams()
  return (
    <TestPage query={useQuery(testPaymentQuery(paymentId))} title={t('test.title')} warning={t('test.warning')}>
      {(payment) => <Payment payment={payment} />}
    </TestPage>
  )
}

function Payment({ payment }: { payment: TestPayment }) {
  const { t, i18n } = useTranslation('orders')
  const facts: Fact[] = [
    [t('test.description'), payment.description],
    [t('test.amount'), formatMoney(payment.amount, payment.currency, i18n.language)],
  ]
  return (
    <>
      <TestFacts>
        <FactRows facts={facts} />
      </TestFacts>
      {payment.state === 'Created' ? <Answers payment={payment} /> : <Answered />}
    </>
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
  return <TestAnswered title={t('test.answered')} to={paths.account('orders')} back={t('test.orders')} />
}
