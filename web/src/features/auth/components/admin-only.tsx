import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { Members } from './members'

/** What is below /admin: to everybody else it does not exist. */
export function AdminOnly({ children }: { children: ReactNode }) {
  const gone = <Navigate to={paths.notFound()} replace />
  return <Members guest={gone}>{({ roles }) => (roles.includes('Admin') ? children : gone)}</Members>
}
