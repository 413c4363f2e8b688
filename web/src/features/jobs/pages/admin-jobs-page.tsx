import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatMoment, formatNumber } from '@/shared/lib/format'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { anyJobsQuery } from '../any-jobs-api'
import { ANY_JOBS, type AnyJobFilters, fruitlessSearch, hasFilters, isReversed, NO_FILTERS } from '../any-jobs-model'
import { AnyJobFilterFields } from '../components/any-job-filter-fields'
import { AnyJobTable } from '../components/any-job-table'

/** The jobs of all users. */
export default function AdminJobsPage() {
  const { t } = useTranslation('anyJobs')
  const [filters, { replace }] = useUrlParams(ANY_JOBS)
  return (
    <Page title={t('title')} lead={t('lead')}>
      <AnyJobFilterFields filters={filters} onChange={replace} />
      {!isReversed(filters) && <Jobs filters={filters} onClear={() => replace(NO_FILTERS)} />}
    </Page>
  )
}

function Jobs({ filters, onClear }: { filters: AnyJobFilters; onClear: () => void }) {
  const { t, i18n } = useTranslation('anyJobs')
  const query = anyJobsQuery(filters)
  const list = useInfiniteQuery(query)
  const { data: search } = useInfiniteQuery({ ...query, select: ({ pages }) => fruitlessSearch(pages) })
  const empty = hasFilters(filters) ? (
    <EmptyState icon="search" title={t('noMatch')} action={<Button onClick={onClear}>{t('showAll')}</Button>} />
  ) : (
    <EmptyState icon="jobs" title={t('empty')} />
  )
  const further = search && (
    <EmptyState
      icon="search"
      title={t('noMatchIn', { jobs: formatNumber(search.jobs, i18n.language) })}
      text={t('searchedTo', { time: formatMoment(search.backTo, i18n.language) })}
      action={
        <Button tone="outline" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('searchFurther')}
        </Button>
      }
    />
  )
  return (
    <QueryList list={list} skeleton={{ height: 64, count: 6 }} empty={empty} end={further}>
      {(jobs) => jobs.length > 0 && <AnyJobTable jobs={jobs} />}
    </QueryList>
  )
}
