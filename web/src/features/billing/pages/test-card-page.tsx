import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { TestCard, TestCardAnswer } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { TestAnswers } from '../components/test-answers'
import { TestAnswered, TestPage } from '../components/test-page'
import { testCardQuery, useAnswerTestCard } from '../test-provider-api'

const ANSWERS = ['Works', 'Declines', 'DeclinesLater', 'Hangs'] as const satisfies TestCardAnswer[]

/** Stands in for the window of a payment provider in which a card is saved. No card is real. */
export default function TestCardPage() {
  const { t } = useTranslation('subscription')
  const { cardId = '' } = useParams()
  return (
    <TestPage query={useQuery(testCardQuery(cardId))} title={t('test.title')} warning={t('test.warning')}>
      {(card) =>
        card.state === 'Created' ? (
          <Answers card={card} />
        ) : (
          <TestAnswered title={t('test.saved')} to={paths.account('payment')} back={t('test.methods')} />
        )
      }
    </TestPage>
  )
}

function Answers({ card: { _id, cancelUrl } }: { card: TestCard }) {
  const { t } = useTranslation('subscription')
  const answer = useAnswerTestCard(_id)
  return (
    <TestAnswers
      answers={ANSWERS}
      titleOf={(one) => t(`test.answers.${one}`)}
      answer={answer}
      cancel={{ url: cancelUrl, title: t('test.cancel') }}
    />
  )
}
