import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { TestAgreement, TestAgreementChange } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { type Fact, FactRows } from '@/shared/ui/fact-rows'
import { FieldError } from '@/shared/ui/field'
import { TestAnswers } from '../components/test-answers'
import answers from '../components/test-answers.module.css'
import { TestFacts, TestPage } from '../components/test-page'
import { formatMoney, TEST_ANSWERS } from '../orders-model'
import { testAgreementQuery, useAnswerTestAgreement, useChangeTestAgreement } from '../test-provider-api'

/** What can happen to a running agreement, by its state. */
const CHANGES = {
  Created: [],
  Active: ['Charge', 'Fail', 'Cancel'],
  Suspended: ['Cancel'],
  Ended: [],
} as const satisfies Record<TestAgreement['state'], TestAgreementChange[]>

/** Stands in for PayPal's pages of a plan that it charges every month. No money moves. */
export default function TestAgreementPage() {
  const { t } = useTranslation('subscription')
  const { t: orders } = useTranslation('orders')
  const { agreementId = '' } = useParams()
  const query = useQuery(testAgreementQuery(agreementId))
  return (
    <TestPage query={query} title={t('agreement.title')} warning={orders('test.warning')}>
      {(agreement) => <Agreement agreement={agreement} />}
    </TestPage>
  )
}

function Agreement({ agreement }: { agreement: TestAgreement }) {
  const { t, i18n } = useTranslation('subscription')
  const { description, amount, currency, state, failed } = agreement
  const facts: Fact[] = [
    [t('plan'), description],
    [t('price'), formatMoney(amount, currency, i18n.language)],
    [t('agreement.state'), t(`agreement.states.${state}`)],
    [t('agreement.failed'), failed > 0 ? failed : null],
  ]
  return (
    <>
      <TestFacts>
        <FactRows facts={facts} />
      </TestFacts>
      {state === 'Created' ? <Approval agreement={agreement} /> : <Changes agreement={agreement} />}
    </>
  )
}

function Approval({ agreement: { _id, cancelUrl } }: { agreement: TestAgreement }) {
  const { t } = useTranslation('orders')
  const answer = useAnswerTestAgreement(_id)
  return (
    <TestAnswers
      answers={TEST_ANSWERS}
      titleOf={(one) => t(`test.answers.${one}`)}
      answer={answer}
      cancel={{ url: cancelUrl, title: t('test.cancel') }}
    />
  )
}

function Changes({ agreement: { _id, state } }: { agreement: TestAgreement }) {
  const { t } = useTranslation('subscription')
  const text = useProblemText()
  const change = useChangeTestAgreement(_id)
  const done = change.isSuccess ? change.variables : null
  return (
    <div className={answers.answers}>
      {CHANGES[state].map((one) => (
        <Button
          key={one}
          wide
          busy={change.isPending && change.variables === one}
          disabled={change.isPending && change.variables !== one}
          onClick={() => change.mutate(one)}
        >
          {t(`agreement.changes.${one}`)}
        </Button>
      ))}
      <p role="status">{done && t(`agreement.done.${done}`)}</p>
      {change.error && <FieldError>{text(change.error)}</FieldError>}
      <ButtonLink to={paths.account('subscription')} tone="primary" wide>
        {t('agreement.back')}
      </ButtonLink>
    </div>
  )
}
