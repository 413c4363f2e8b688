import { Suspense } from 'react'
import { useLocation } from 'react-router'
import { useUser } from '@/features/auth'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { isAdminPath } from '@/shared/lib/paths'
import { lazyPart } from '@/shared/ui/lazy-part'
import { NavGroups, type NavLinksProps } from './nav-groups'
import { userGroups } from './nav-items'

const AdminNavLinks = lazyPart<NavLinksProps>(withTexts(chunk(() => import('./admin-nav-links'))))

/** The pages of the application, or those of admins below /admin. */
export function NavLinks(props: NavLinksProps) {
  const { pathname } = useLocation()
  const user = useUser()
  if (!isAdminPath(pathname) || !user?.roles.includes('Admin')) return <NavGroups {...props} groups={userGroups} />
  return (
    <Suspense>
      <AdminNavLinks {...props} />
    </Suspense>
  )
}
