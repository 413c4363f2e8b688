import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SignCard } from '@/features/auth'
import { ButtonLink } from '@/shared/ui/button'
import { PageError } from '@/shared/ui/page-error'
import { PageSpinner } from '@/shared/ui/spinner'
import { EmptyState } from '@/shared/ui/states'
import { usePageRestored } from '../use-page-restored'
import styles from './test-page.module.css'

type TestPageProps<Found> = {
  query: UseQueryResult<Found>
  title: string
  /** Says that nothing here is real. */
  warning: string
  children: (found: Found) => ReactNode
}

/** A page of the test provider. It is read again when the browser goes back to it. */
export function TestPage<Found>({ query, title, warning, children }: TestPageProps<Found>) {
  const retry = () => void query.refetch()
  usePageRestored(retry)
  if (query.data === undefined)
    return query.isError ? <PageError error={query.error} onRetry={retry} /> : <PageSpinner />
  return (
    <SignCard title={title}>
      <p className={styles.warning}>{warning}</p>
      {children(query.data)}
    </SignCard>
  )
}

/** What is for sale, in rows of `dt` and `dd`. */
export const TestFacts = ({ children }: { children: ReactNode }) => <dl className={styles.facts}>{children}</dl>

/** What was answered before, and the way back. */
export function TestAnswered({ title, to, back }: { title: string; to: string; back: string }) {
  const action = (
    <ButtonLink to={to} tone="primary">
      {back}
    </ButtonLink>
  )
  return <EmptyState icon="check" title={title} action={action} />
}
