import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { AgentTokens, RequestedList, WorkerList } from '@/features/fleet'
import { Icon } from '@/shared/ui/icon'
import { Page } from '@/shared/ui/page'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { adminGroups } from '../shell/admin-nav-items'
import { useNavTitle } from '../shell/use-nav-title'
import styles from './admin-page.module.css'

/** The start page of the admin area: links to all admin pages, by group. */
export default function AdminPage() {
  const { t } = useTranslation()
  const { titleOf, groupTitleOf } = useNavTitle()
  const groups = adminGroups.filter((group) => group.key !== null)
  return (
    <Page title={t('nav.admin')}>
      <div className={styles.groups}>
        {groups.map((group) => {
          const { key, items } = group
          const inside = items.flatMap((item) =>
            'to' in item && typeof item.to === 'string' ? [{ ...item, to: item.to }] : [],
          )
          if (!key || inside.length === 0) return null
          return (
            <section key={key} aria-labelledby={`admin-${key}`}>
              <h2 id={`admin-${key}`}>{groupTitleOf(group)}</h2>
              <ul>
                {inside.map((item) => (
                  <li key={item.key}>
                    <Link to={item.to}>
                      <Icon name={item.icon} size={20} />
                      {titleOf(item.key)}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      <PartBoundary>
        <WorkerList />
        <RequestedList />
        <AgentTokens />
      </PartBoundary>
    </Page>
  )
}
