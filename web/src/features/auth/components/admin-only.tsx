import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { PageSpinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { useSession } from '../api'

/** What is below /admin: to everybody else it does not exist. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.is === 'unknown') return <PageSpinner />
  if (session.is === 'failed') return <ErrorState error={session.error} onRetry={session.retry} />
  const isAdmin = session.is === 'user' && session.user.roles.includes('Admin')
  return isAdmin ? children : <Navigate to={paths.notFound()} replace />
}
