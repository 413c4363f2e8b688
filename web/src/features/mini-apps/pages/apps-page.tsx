import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { withParams } from '@/shared/lib/with-params'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { Segments } from '@/shared/ui/segments'
import { ErrorState } from '@/shared/ui/states'
import { type AppSort, miniAppsQuery } from '../api'
import { AppGrid, AppGridSkeleton } from '../components/app-card'

const SORTS: AppSort[] = ['newest', 'like', 'view']

export default function AppsPage() {
  const { t } = useTranslation('miniApps')
  const [params, setParams] = useSearchParams()
  const sort = SORTS.find((s) => s === params.get('sort')) ?? 'newest'
  const apps = useInfiniteQuery(miniAppsQuery(sort))
  const options = [
    { key: 'newest' as const, title: t('sortNewest') },
    { key: 'like' as const, title: t('sortLike') },
    { key: 'view' as const, title: t('sortView') },
  ]
  const choose = (key: AppSort) =>
    setParams(withParams(params, { sort: key === 'newest' ? '' : key }), { replace: true, preventScrollReset: true })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={<Segments label={t('sort')} options={options} value={sort} onChange={choose} />}
    >
      {apps.isPending ? (
        <AppGridSkeleton />
      ) : apps.data ? (
        <>
          <h2 className="visually-hidden">{t('title')}</h2>
          <AppGrid apps={apps.data} />
          <LoadMore
            hasMore={apps.hasNextPage}
            loading={apps.isFetchingNextPage}
            onMore={() => void apps.fetchNextPage()}
          />
        </>
      ) : (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      )}
    </Page>
  )
}
