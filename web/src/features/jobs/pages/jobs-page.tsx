import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GuestState, SignedInOnly, useUser } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { withParams } from '@/shared/lib/with-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { SkeletonRows } from '@/shared/ui/query-list'
import { Segments } from '@/shared/ui/segments'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { useResultToasts } from '@/shared/ui/use-result-toasts'
import { type JobFilter, jobsQuery, useCancelAll, useCancelJob } from '../api'
import { BatchHead } from '../components/batch-head'
import { LabelHead } from '../components/job-labels'
import { JobRow } from '../components/job-row'
import { groupByBatch, isActive, RUNNING_REFRESH_MS } from '../model'
import styles from './jobs-page.module.css'

const FILTERS: JobFilter[] = ['all', 'active', 'done', 'failed']
const MAX_REASONS = 10
/** "Cancel all" shows from this number of active batches and jobs on; a single one has its own button. */
const MIN_FOR_CANCEL_ALL = 2

export default function JobsPage() {
  const { t } = useTranslation('jobs')
  const user = useUser()
  const [params, setParams] = useSearchParams()
  const filter = FILTERS.find((f) => f === params.get('show')) ?? 'all'
  const options = FILTERS.map((key) => ({ key, title: t(`filters.${key}`) }))
  const batch = params.get('batch') ?? undefined
  const label = params.get('label') ?? undefined
  const choose = (show: JobFilter) =>
    setParams(withParams(params, { show: show === 'all' ? '' : show }), { replace: true, preventScrollReset: true })
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      narrow
      actions={user && <Segments label={t('filter')} options={options} value={filter} onChange={choose} />}
    >
      <SignedInOnly
        guest={<GuestState icon="jobs" title={t('guestTitle')} text={t('guestText')} />}
        waiting={<SkeletonRows height={98} />}
      >
        {() => (
          <>
            {label && <LabelHead label={label} />}
            <JobList filter={filter} batch={batch} label={label} />
          </>
        )}
      </SignedInOnly>
    </Page>
  )
}

type JobListProps = { filter: JobFilter; batch: string | undefined; label: string | undefined }

function JobList({ filter, batch, label }: JobListProps) {
  const { t } = useTranslation('jobs')
  const text = useProblemText()
  const cancel = useCancelJob()
  const jobs = useInfiniteQuery({
    ...jobsQuery(filter, batch, label),
    staleTime: 0,
    // Refetches only while jobs are active and few pages are loaded: a deep list must not jump.
    refetchInterval: (query) => {
      const pages = query.state.data?.pages ?? []
      const moving = pages.some((page) => page.items.some((job) => isActive(job.status)))
      return moving && pages.length <= 3 ? RUNNING_REFRESH_MS : false
    },
  })
  if (jobs.isPending) return <SkeletonRows height={98} />
  if (jobs.isError && !jobs.data) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />
  const items = jobs.data ?? []
  if (items.length === 0) {
    const action = (
      <ButtonLink tone="primary" to={paths.apps()}>
        {t('emptyAction')}
      </ButtonLink>
    )
    if (filter !== 'all' || batch || label) return <EmptyState icon="jobs" title={t(`emptyOf.${filter}`)} />
    return <EmptyState icon="jobs" title={t('emptyTitle')} text={t('emptyText')} action={action} />
  }
  const showsReason = new Set(items.filter((job) => job.status === 'Pending').slice(0, MAX_REASONS))
  const underWay = new Set(items.filter((job) => isActive(job.status)).map((job) => job.batch ?? job._id))
  const stop = (id: string) =>
    cancel.mutate(id, { onError: (error) => toast.error(t('cancelFailed', { message: text(error) }), error) })
  return (
    <>
      {!batch && !label && underWay.size >= MIN_FOR_CANCEL_ALL && (
        <div className={styles.all}>
          <CancelAll />
        </div>
      )}
      <div className={styles.list}>
        {groupByBatch(items).map(({ batch: of, jobs: group }) => (
          <div key={group[0]?._id} className={of ? styles.batch : undefined}>
            {of && <BatchHead id={of} alone={Boolean(batch)} />}
            <ul className={styles.list}>
              {group.map((job) => (
                <JobRow
                  key={job._id}
                  job={job}
                  canceling={cancel.isPending && cancel.variables === job._id}
                  showsReason={showsReason.has(job)}
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

function CancelAll() {
  const { t } = useTranslation('jobs')
  const confirm = useConfirm()
  const toasts = useResultToasts()
  const cancel = useCancelAll()
  const stop = async () => {
    const question = {
      title: t('cancelAll.title'),
      text: t('batch.cancelText'),
      action: t('cancelAll.action'),
      keep: t('batch.keep'),
    }
    if (!(await confirm({ ...question, danger: true }))) return
    cancel.mutate(
      undefined,
      toasts(t('cancelAll.done'), (message) => t('cancelAll.failed', { message })),
    )
  }
  return (
    <Button size="small" tone="outline" icon="close" busy={cancel.isPending} onClick={() => void stop()}>
      {t('cancelAll.action')}
    </Button>
  )
}
