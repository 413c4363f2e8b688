import { useTranslation } from 'react-i18next'
import type { NavGroup, NavKey } from './nav-items'

type AdminNavKey = Extract<NavKey, `admin${string}`>

const isOfAdmins = (key: NavKey): key is AdminNavKey => key.startsWith('admin')

/** The names of pages and of their groups in the navigation. The first group has none. */
export function useNavTitle() {
  const { t } = useTranslation()
  const { t: admin } = useTranslation('adminNav')
  return {
    titleOf: (key: NavKey) => (isOfAdmins(key) ? admin(key) : t(`nav.${key}`)),
    groupTitleOf: (group: NavGroup) =>
      group.key && (group.isOfAdmins ? admin(`groups.${group.key}`) : t(`navGroups.${group.key}`)),
  }
}
