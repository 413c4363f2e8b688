import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, matchPath } from 'react-router'
import { useUser } from '@/features/auth'
import { isAdminPath, type ProfileTab, paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { NotFoundView, PageError } from '@/shared/ui/page-error'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { PageSpinner } from '@/shared/ui/spinner'
import { useActiveTabVisible } from '@/shared/ui/use-active-tab-visible'
import { profileQuery } from '../api'
import { ProfileHeader } from '../components/profile-header'
import { TABS, type Tab } from '../tabs'
import styles from './profile-page.module.css'

type ProfilePageProps = { pathname: string; reveal?: { key: string } | null | undefined }

/** A person's public lists, and the private ones for the owner and admins. */
export default function ProfilePage({ pathname, reveal }: ProfilePageProps) {
  const { t } = useTranslation('profile')
  const params = matchPath('/profile/:userId/*', pathname.replace(/^\/admin/, ''))?.params
  const userId = params?.userId ?? ''
  const user = useUser()
  const profile = useQuery(profileQuery(userId))
  useTitle(profile.data?.name)
  if (profile.isPending || user === undefined) return <PageSpinner />
  if (!profile.data) return <PageError error={profile.error} onRetry={() => void profile.refetch()} />
  const own = user?._id === userId
  const all = own || Boolean(user?.roles.includes('Admin'))
  const tabs = TABS.filter((tab) => all || !tab.own)
  const requested = params?.['*'] ?? ''
  const active = requested === '' ? tabs[0] : tabs.find((tab) => tab.key === requested)
  if (!active) return <NotFoundView status={404} />
  const address = isAdminPath(pathname) ? paths.admin.profile : paths.profile
  return (
    <div className={styles.page}>
      <ProfileHeader key={userId} profile={profile.data} own={own} />
      <TabLinks tabs={tabs} active={active} address={(key) => address(userId, key)} />
      <section aria-label={t(`tabs.${active.key}`)}>
        <h2 className="visually-hidden">{t(`tabs.${active.key}`)}</h2>
        <PartBoundary key={active.key}>
          <Suspense fallback={<PageSpinner />}>{active.show({ profile: profile.data, reveal })}</Suspense>
        </PartBoundary>
      </section>
    </div>
  )
}

type TabLinksProps = { tabs: Tab[]; active: Tab; address: (key: ProfileTab) => string }

function TabLinks({ tabs, active, address }: TabLinksProps) {
  const { t } = useTranslation('profile')
  const row = useActiveTabVisible<HTMLElement>(active.key)
  return (
    <nav ref={row} className={styles.tabs} aria-label={t('parts')}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          className={styles.tab}
          aria-current={tab === active ? 'page' : undefined}
          to={address(tab.key)}
          preventScrollReset
        >
          {t(`tabs.${tab.key}`)}
        </Link>
      ))}
    </nav>
  )
}
