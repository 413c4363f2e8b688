import { Outlet } from 'react-router'
import { AdminOnly } from '@/features/auth'

export function AdminLayout() {
  return (
    <AdminOnly>
      <Outlet />
    </AdminOnly>
  )
}
