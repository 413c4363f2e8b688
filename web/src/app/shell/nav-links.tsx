import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { Icon } from '@/shared/ui/icon'
import styles from './navigation.module.css'

const LINKS = [
  { key: 'home', to: paths.home(), icon: 'home' },
  { key: 'apps', to: paths.apps(), icon: 'apps' },
  { key: 'workflows', to: paths.workflows(), icon: 'workflow' },
  { key: 'basicWorkflows', to: paths.basicWorkflows(), icon: 'star' },
  { key: 'pictures', to: paths.pictures(), icon: 'picture' },
  { key: 'jobs', to: paths.jobs(), icon: 'jobs' },
  { key: 'account', to: paths.account(), icon: 'account' },
] as const

/** The pages of the application. `folded` shows icons alone; their names stay for the screen reader and as a tip. */
export function NavLinks({ folded = false, onGo }: { folded?: boolean; onGo?: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.links}>
      {LINKS.map(({ key, to, icon }) => (
        <NavLink
          key={key}
          to={to}
          end={key === 'home'}
          className={styles.link as string}
          title={folded ? t(`nav.${key}`) : undefined}
          onClick={onGo}
        >
          <Icon name={icon} size={22} />
          <span className={folded ? 'visually-hidden' : undefined}>{t(`nav.${key}`)}</span>
        </NavLink>
      ))}
    </div>
  )
}
