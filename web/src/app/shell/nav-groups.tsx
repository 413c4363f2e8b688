import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { rememberReturnPath, useLoginDialog, useUser } from '@/features/auth'
import type { Operator } from '@/shared/api/types'
import { Icon } from '@/shared/ui/icon'
import { openModal } from '@/shared/ui/modals'
import { useUnseen } from './announcements'
import type { NavGroup, NavItem } from './nav-items'
import styles from './navigation.module.css'
import { useNavTitle } from './use-nav-title'

export type NavLinksProps = { folded?: boolean; onGo?: (() => void) | undefined }

type NavGroupsProps = NavLinksProps & { groups: NavGroup[]; operator?: Operator | undefined }

/** Links to pages, by group. `folded` shows icons only; screen readers and tooltips still have the names. */
export function NavGroups({ groups, operator, folded = false, onGo }: NavGroupsProps) {
  const { groupTitleOf } = useNavTitle()
  return (
    <div className={styles.groups}>
      {groups.map((group) => (
        <div key={group.key ?? 'top'} className={styles.group}>
          {group.key && <p className={folded ? styles.rule : styles.groupTitle}>{groupTitleOf(group)}</p>}
          <ul className={styles.links}>
            {group.items.map((item) => (
              <li key={item.key}>
                <Entry item={item} folded={folded} onGo={onGo} operator={operator} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

type EntryProps = NavLinksProps & { item: NavItem; folded: boolean; operator: Operator | undefined }

function Entry({ item, folded, onGo, operator }: EntryProps) {
  const user = useUser()
  const openLogin = useLoginDialog()
  const title = useNavTitle().titleOf(item.key)
  const tip = folded ? title : undefined
  const face = (
    <>
      <Icon name={item.icon} size={22} />
      <span className={folded ? 'visually-hidden' : undefined}>{title}</span>
      {item.key === 'announcements' && <Unseen />}
    </>
  )
  const press = (act: () => void) => (
    <button
      type="button"
      className={styles.link}
      title={tip}
      onClick={() => {
        onGo?.()
        act()
      }}
    >
      {face}
    </button>
  )
  if ('modal' in item) return press(() => openModal(item.modal, {}))
  if ('outside' in item) {
    const href = operator?.[item.outside]
    return href ? (
      <a href={href} target="_blank" rel="noopener noreferrer" className={styles.link} title={tip} onClick={onGo}>
        {face}
      </a>
    ) : null
  }
  if (item.general && user === null) {
    return press(() => {
      openLogin()
      // The address of a page of one's own is unknown before sign-in.
      if (typeof item.to === 'string') rememberReturnPath(item.to)
    })
  }
  const to = typeof item.to === 'string' ? item.to : user && item.to(user)
  if (!to) return null
  return (
    <NavLink to={to} end={item.key === 'home'} className={styles.link as string} title={tip} onClick={onGo}>
      {face}
    </NavLink>
  )
}

function Unseen() {
  const { t } = useTranslation()
  const { unseen } = useUnseen()
  if (unseen.length === 0) return null
  return (
    <span className={styles.unseen}>
      <span className="visually-hidden">{t('announcements.unseen', { count: unseen.length })}</span>
    </span>
  )
}
