import { useQuery } from '@tanstack/react-query'
import { operatorQuery } from '@/features/legal'
import type { Operator } from '@/shared/api/types'
import { adminGroups } from './admin-nav-items'
import { NavGroups, type NavLinksProps } from './nav-groups'
import type { NavGroup } from './nav-items'

/** The pages of admins. */
export default function AdminNavLinks(props: NavLinksProps) {
  const operator = useQuery(operatorQuery()).data
  return <NavGroups {...props} groups={shownGroups(adminGroups, operator)} operator={operator} />
}

/** Without external pages that are not configured, and without groups that are empty then. */
const shownGroups = (groups: NavGroup[], operator: Operator | undefined): NavGroup[] =>
  groups
    .map((group) => ({ ...group, items: group.items.filter((one) => !('outside' in one) || operator?.[one.outside]) }))
    .filter((group) => group.items.length > 0)
