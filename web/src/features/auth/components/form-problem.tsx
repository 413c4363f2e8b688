import { useProblemText } from '@/shared/lib/problem-text'
import styles from './sign-form.module.css'

/** A refusal that belongs to no field of the form. */
export function FormProblem({ error }: { error: unknown }) {
  const text = useProblemText()
  return (
    error !== null && (
      <p className={styles.problem} role="alert">
        {text(error)}
      </p>
    )
  )
}
