import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { SignCard } from '@/features/auth'
import type { TestCard, TestCardAnswer } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import { PageError } from '@/shared/ui/page-error'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
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
  const text = useProblemText()
  const answer = useAnswerTestCard(_id)
  const isLeaving = answer.isPending || answer.isSuccess
  usePageRestored(answer.reset)
  return (
    <div className={styles.answers}>
      {ANSWERS.map((one) => (
        <Button
          key={one}
          tone={one === 'Works' ? 'primary' : 'plain'}
          wide
          busy={isLeaving && answer.variables === one}
          disabled={isLeaving && answer.variables !== one}
          onClick={() => answer.mutate(one)}
        >
          {t(`test.answers.${one}`)}
        </Button>
      ))}
      <ButtonLink to={cancelUrl} reloadDocument tone="ghost" wide>
        {t('test.cancel')}
      </ButtonLink>
      {answer.error && <FieldError>{text(answer.error)}</FieldError>}
    </div>
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
