import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import type { User } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { PageSpinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { useSession } from '../api'

type MembersProps = {
  guest: ReactNode
  /** Shown until the session is known. */
  waiting?: ReactNode
  children: (user: User) => ReactNode
}

/** Content for signed-in users. If the session cannot be loaded, shows an error with a retry button. */
export function SignedInOnly({ guest, waiting = <PageSpinner />, children }: MembersProps) {
  const session = useSession()
  if (session.is === 'unknown') return waiting
  if (session.is === 'failed') return <ErrorState error={session.error} onRetry={session.retry} />
  return session.is === 'user' ? children(session.user) : guest
}

/** The pages below /admin. Other users get a 404. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const gone = <Navigate to={paths.notFound()} replace />
  return <SignedInOnly guest={gone}>{({ roles }) => (roles.includes('Admin') ? children : gone)}</SignedInOnly>
}
