import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { SignCard } from '@/features/auth'
import type { TestCard, TestCardAnswer } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { PageError } from '@/shared/ui/page-error'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
import { TestAnswers } from '../components/test-answers'
import { testCardQuery, useAnswerTestCard } from '../test-provider-api'
import { usePageRestored } from '../use-page-restored'
import styles from './test-payment-page.module.css'

const ANSWERS = ['Works', 'Declines', 'DeclinesLater', 'Hangs'] as const satisfies TestCardAnswer[]

/** Stands in for the window of a payment provider in which a card is saved. No card is real. */
export default function TestCardPage() {
  const { cardId = '' } = useParams()
  const card = useQuery(testCardQuery(cardId))
  usePageRestored(() => void card.refetch())
  if (card.data) return <Card card={card.data} />
  if (card.isError) return <PageError error={card.error} onRetry={() => void card.refetch()} />
  return <PageSpinner />
}

function Card({ card }: { card: TestCard }) {
  const { t } = useTranslation('subscription')
  return (
    <SignCard title={t('test.title')}>
      <p className={styles.warning}>{t('test.warning')}</p>
      {card.state === 'Created' ? <Answers card={card} /> : <Saved />}
    </SignCard>
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

function Saved() {
  const { t } = useTranslation('subscription')
  const action = (
    <ButtonLink to={paths.account('payment')} tone="primary">
      {t('test.methods')}
    </ButtonLink>
  )
  return <EmptyState icon="check" title={t('test.saved')} action={action} />
}
