import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GuestState, Members, useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { withParams } from '@/shared/lib/with-params'
import { ButtonLink } from '@/shared/ui/button'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { Segments } from '@/shared/ui/segments'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { useToast } from '@/shared/ui/toast'
import { type JobFilter, jobsQuery, useCancelJob } from '../api'
import { BatchHead } from '../components/batch-head'
import { CancelAll } from '../components/cancel-all'
import { JobRow } from '../components/job-row'
import { grouped, isActive, RUNNING_REFRESH_MS } from '../model'
import styles from './jobs-page.module.css'

const FILTERS: JobFilter[] = ['all', 'active', 'done', 'failed']
/** Waiting jobs whose reason is asked for: those at the top, or a long list would ask without end. */
const ASKS_WHY = 10
/** From so many batches and single jobs under way on, all can be canceled at once: one has its own button. */
const MANY = 2

export default function JobsPage() {
  const { t } = useTranslation('jobs')
  const user = useUser()
  const [params, setParams] = useSearchParams()
  const filter = FILTERS.find((f) => f === params.get('show')) ?? 'all'
  const options = FILTERS.map((key) => ({ key, title: t(`filters.${key}`) }))
  const batch = params.get('batch') ?? undefined
  const choose = (show: JobFilter) =>
    setParams(withParams(params, { show: show === 'all' ? '' : show }), { replace: true, preventScrollReset: true })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      narrow
      actions={user && <Segments label={t('filter')} options={options} value={filter} onChange={choose} />}
    >
      <Members
        guest={<GuestState icon="jobs" title={t('guestTitle')} text={t('guestText')} />}
        waiting={<JobSkeletons />}
      >
        {() => <JobList filter={filter} batch={batch} />}
      </Members>
    </Page>
  )
}

type JobListProps = { filter: JobFilter; batch: string | undefined }

function JobList({ filter, batch }: JobListProps) {
  const { t } = useTranslation('jobs')
  const toast = useToast()
  const text = useProblemText()
  const cancel = useCancelJob()
  const jobs = useInfiniteQuery({
    ...jobsQuery(filter, batch),
    staleTime: 0,
    // Only while something moves, and only near the top: a deep list is left alone.
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const moving = pages.some((page) => page.items.some((job) => isActive(job.status)))
      return moving && pages.length <= 3 ? RUNNING_REFRESH_MS : false
    },
  })
  if (jobs.isPending) return <JobSkeletons />
  if (jobs.isError && !jobs.data) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />
  const items = jobs.data ?? []
  if (items.length === 0) {
    const action = (
      <ButtonLink tone="primary" to={paths.apps()}>
        {t('emptyAction')}
      </ButtonLink>
    )
    if (filter !== 'all' || batch) return <EmptyState icon="jobs" title={t(`emptyOf.${filter}`)} />
    return <EmptyState icon="jobs" title={t('emptyTitle')} text={t('emptyText')} action={action} />
  }
  const asksWhy = new Set(items.filter((job) => job.status === 'Pending').slice(0, ASKS_WHY))
  const underWay = new Set(items.filter((job) => isActive(job.status)).map((job) => job.batch ?? job._id))
  const stop = (id: string) =>
    cancel.mutate(id, { onError: (error) => toast.error(t('cancelFailed', { message: text(error) }), error) })
  return (
    <>
      {!batch && underWay.size >= MANY && (
        <div className={styles.all}>
          <CancelAll />
        </div>
      )}
      <div className={styles.list}>
        {grouped(items).map(({ batch: of, jobs: group }) => (
          <div key={group[0]?._id} className={of ? styles.batch : undefined}>
            {of && <BatchHead id={of} alone={Boolean(batch)} />}
            <ul className={styles.list}>
              {group.map((job) => (
                <JobRow
                  key={job._id}
                  job={job}
                  canceling={cancel.isPending && cancel.variables === job._id}
                  asksWhy={asksWhy.has(job)}
                  onCancel={stop}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
      <LoadMore hasMore={jobs.hasNextPage} loading={jobs.isFetchingNextPage} onMore={() => void jobs.fetchNextPage()} />
    </>
  )
}

function JobSkeletons() {
  return (
    <div className={styles.list} aria-busy="true">
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} style={{ height: 98, borderRadius: 12 }} />
      ))}
    </div>
  )
}
