import { Outlet } from 'react-router'
import { AdminOnly } from '@/features/auth'

/** Everything below /admin, behind its one guard. */
export function AdminLayout() {
  return (
    <AdminOnly>
      <Outlet />
    </AdminOnly>
  )
}
