import type { ReactNode } from 'react'
import type { User } from '@/shared/api/types'
import { PageSpinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { useSession } from '../api'

type MembersProps = {
  /** What stands here for guests. */
  guest: ReactNode
  /** What stands here until it is known who is here. */
  waiting?: ReactNode
  children: (user: User) => ReactNode
}

/** What only somebody who is signed in has. Where the server did not say who is here, that is said, with a way on. */
export function Members({ guest, waiting = <PageSpinner />, children }: MembersProps) {
  const session = useSession()
  if (session.is === 'unknown') return waiting
  if (session.is === 'failed') return <ErrorState error={session.error} onRetry={session.retry} />
  return session.is === 'user' ? children(session.user) : guest
}
