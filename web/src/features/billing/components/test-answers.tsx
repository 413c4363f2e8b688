import type { Mutation } from '@/shared/api/use-mutation'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button, ButtonLink } from '@/shared/ui/button'
import { FieldError } from '@/shared/ui/field'
import { usePageRestored } from '../use-page-restored'
import styles from './test-answers.module.css'

type TestAnswersProps<Answer extends string> = {
  /** The first one is proposed. */
  answers: readonly Answer[]
  titleOf: (answer: Answer) => string
  answer: Mutation<{ returnUrl: string }, Error, Answer>
  cancel: { url: string; title: string }
}

/** What can be pressed at the test provider. The page stays busy until the browser has left it. */
export function TestAnswers<Answer extends string>({ answers, titleOf, answer, cancel }: TestAnswersProps<Answer>) {
  const text = useProblemText()
  const isLeaving = answer.isPending || answer.isSuccess
  usePageRestored(answer.reset)
  return (
    <div className={styles.answers}>
      {answers.map((one, place) => (
        <Button
          key={one}
          tone={place === 0 ? 'primary' : 'plain'}
          wide
          busy={isLeaving && answer.variables === one}
          disabled={isLeaving && answer.variables !== one}
          onClick={() => answer.mutate(one)}
        >
          {titleOf(one)}
        </Button>
      ))}
      <ButtonLink to={cancel.url} reloadDocument tone="ghost" wide>
        {cancel.title}
      </ButtonLink>
      {answer.error && <FieldError>{text(answer.error)}</FieldError>}
    </div>
  )
}
