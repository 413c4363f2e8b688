import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { miniAppsQuery } from '../api'
import { AppGridSkeleton } from '../components/app-card'
import { AppShelf } from '../components/app-shelf'
import SimpleAppCards from '../components/simple-app-cards'
import { SuggestionForm } from '../components/suggestion-form'
import SuggestionNote from '../components/suggestion-note'
import styles from './create-page.module.css'

/** The apps that make pictures, or those that make videos. */
export default function CreatePage() {
  const { t } = useTranslation('miniApps')
  const { pathname } = useLocation()
  const video = pathname.startsWith(paths.createVideo())
  const kind = video ? 'video' : 'image'
  const apps = useInfiniteQuery(miniAppsQuery('view', { makes: kind }))
  const fitting = apps.data
  const empty = (
    <EmptyState
      icon={video ? 'video' : 'apps'}
      title={t(`create.${kind}.emptyTitle`)}
      text={t(`create.${kind}.emptyText`)}
      action={
        <ButtonLink tone="primary" to={video ? paths.createImage() : paths.apps()}>
          {t(`create.${kind}.emptyAction`)}
        </ButtonLink>
      }
    />
  )
  return (
    <Page title={t(`create.${kind}.title`)} lead={t(`create.${kind}.lead`)}>
      {fitting === undefined && apps.isError ? (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      ) : fitting === undefined ? (
        <AppGridSkeleton />
      ) : fitting.length === 0 ? (
        <>
          {!video && <SimpleAppCards />}
          {empty}
          <SuggestionNote makes={kind} />
        </>
      ) : (
        <>
          <div className={styles.entry}>
            <SuggestionForm among={{ makes: kind }} />
          </div>
          {!video && <SimpleAppCards />}
          <h2 className="visually-hidden">{t('title')}</h2>
          <AppShelf apps={fitting} />
          <LoadMore
            hasMore={apps.hasNextPage}
            loading={apps.isFetchingNextPage}
            onMore={() => void apps.fetchNextPage()}
          />
        </>
      )}
    </Page>
  )
}
