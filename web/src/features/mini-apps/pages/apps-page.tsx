import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { GuestState, SignedInOnly, useGuest } from '@/features/auth'
import { chunk } from '@/shared/lib/chunk'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { lazyPart } from '@/shared/ui/lazy-part'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { SkeletonRows } from '@/shared/ui/query-list'
import { Segments } from '@/shared/ui/segments'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { Switch } from '@/shared/ui/switch'
import { Tabs } from '@/shared/ui/tabs'
import { type AppSort, miniAppsQuery } from '../api'
import { AppGrid, AppGridSkeleton } from '../components/app-card'
import { APP_PARAMS, APP_SORTS, TABS } from '../model'
import styles from './apps-page.module.css'

const SharedApps = lazyPart(chunk(() => import('../components/shared-apps')))

/** Every published mini app; signed-in users also see apps shared with them. */
export default function AppsPage() {
  const { t } = useTranslation('miniApps')
  const guest = useGuest()
  const [{ tab }, { replace }] = useUrlParams(APP_PARAMS)
  const all = tab === 'all'
  return (
    <Page title={t('title')} lead={t('lead')} actions={all && <Choices />}>
      {guest && all ? (
        <AllApps />
      ) : (
        <Tabs
          label={t('title')}
          tabs={TABS.map((key) => ({ key, title: t(`tabs.${key}`) }))}
          active={tab}
          onChange={(next) => replace({ tab: next })}
        >
          {all ? <AllApps /> : <Shared />}
        </Tabs>
      )}
    </Page>
  )
}

function Choices() {
  const { t } = useTranslation('miniApps')
  const id = useId()
  const [{ sort, works }, { replace }] = useUrlParams(APP_PARAMS)
  const names: Record<AppSort, string> = { newest: t('sortNewest'), like: t('sortLike'), view: t('sortView') }
  const options = APP_SORTS.map((key) => ({ key, title: names[key] }))
  return (
    <div className={styles.choices}>
      <span className={styles.works}>
        <span id={id}>{t('works.filter')}</span>
        <Switch
          aria-labelledby={id}
          checked={works === 'true'}
          onChange={(only) => replace({ works: only ? 'true' : '' })}
        />
      </span>
      <Segments label={t('sort')} options={options} value={sort} onChange={(key) => replace({ sort: key })} />
    </div>
  )
}

function AllApps() {
  const { t } = useTranslation('miniApps')
  const [{ sort, works }, { replace }] = useUrlParams(APP_PARAMS)
  const only = works === 'true'
  const apps = useInfiniteQuery(miniAppsQuery(sort, only ? { works: true } : {}))
  if (apps.isPending) return <AppGridSkeleton />
  if (!apps.data) return <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
  return (
    <>
      <h2 className="visually-hidden">{t(only ? 'works.filter' : 'title')}</h2>
      {only && apps.data.length === 0 ? (
        <EmptyState
          icon="apps"
          title={t('works.noneTitle')}
          text={t('works.noneText')}
          action={<Button onClick={() => replace({ works: '' })}>{t('works.noneAction')}</Button>}
        />
      ) : (
        <AppGrid apps={apps.data} />
      )}
      <LoadMore hasMore={apps.hasNextPage} loading={apps.isFetchingNextPage} onMore={() => void apps.fetchNextPage()} />
    </>
  )
}

function Shared() {
  const { t } = useTranslation('appUse')
  const waiting = <SkeletonRows height={74} count={3} />
  return (
    <SignedInOnly
      guest={<GuestState icon="people" title={t('shared.guestTitle')} text={t('shared.guestText')} />}
      waiting={waiting}
    >
      {() => (
        <PartBoundary>
          <h2 className="visually-hidden">{t('shared.title')}</h2>
          <Suspense fallback={waiting}>
            <SharedApps />
          </Suspense>
        </PartBoundary>
      )}
    </SignedInOnly>
  )
}
