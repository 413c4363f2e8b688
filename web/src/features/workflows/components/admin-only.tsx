import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { PageSpinner } from '@/shared/ui/spinner'
import { isAdmin } from '../model'

/** A page of the admins: to everybody else it does not exist. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const user = useUser()
  if (user === undefined) return <PageSpinner />
  return isAdmin(user) ? children : <Navigate to={paths.notFound()} replace />
}
