import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PersonLine } from '@/features/moderation'
import type { AnyJob } from '@/shared/api/types'
import { formatDuration, formatMoment, formatNumber } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { useConfirm } from '@/shared/ui/dialog'
import { toast } from '@/shared/ui/toast'
import { useCancelJob } from '../api'
import { chipTone, exceptionMessage, isActive } from '../model'
import styles from './any-jobs.module.css'

const labelsOf = ({ labels }: AnyJob): string[] => Object.entries(labels).map(([key, value]) => `${key}=${value}`)

export function AnyJobTable({ jobs }: { jobs: AnyJob[] }) {
  const { t } = useTranslation('anyJobs')
  return <DataTable name="jobs" caption={t('title')} rows={jobs} columns={[...useWhat(), ...useHow()]} />
}

/** Whose job, of what, and how it ended. */
function useWhat(): Column<AnyJob>[] {
  const { t, i18n } = useTranslation('anyJobs')
  const { t: jobs } = useTranslation('jobs')
  const nameOf = usePersonName()
  return [
    {
      key: 'job',
      title: t('columns.job'),
      main: true,
      cell: ({ _id, workflow }) => <Link to={paths.job(_id)}>{workflow?.name ?? jobs('rawPrompt')}</Link>,
      text: ({ _id }) => _id,
    },
    {
      key: 'user',
      title: t('columns.user'),
      cell: ({ user }) => <PersonLine person={user} to={(user) => paths.admin.jobs({ user })} />,
      text: ({ user }) => nameOf(user),
    },
    {
      key: 'status',
      title: t('columns.status'),
      cell: (job) => <Status job={job} />,
      text: ({ status }) => status,
    },
    {
      key: 'created',
      title: t('columns.created'),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatMoment(createdAt, i18n.language)}</time>,
      text: ({ createdAt }) => createdAt,
    },
    {
      key: 'labels',
      title: t('columns.labels'),
      cell: (job) => <Labels labels={labelsOf(job)} />,
      text: (job) => labelsOf(job).join(' '),
    },
  ]
}

/** Where it ran, how long, and what it cost. */
function useHow(): Column<AnyJob>[] {
  const { t, i18n } = useTranslation('anyJobs')
  const { t: appUse } = useTranslation('appUse')
  const none = t('none')
  const worker = ({ worker: one }: AnyJob) => one && (one.name ?? t('removedWorker'))
  const credits = ({ creditsUsed }: AnyJob) => (creditsUsed == null ? none : formatNumber(creditsUsed, i18n.language))
  return [
    {
      key: 'worker',
      title: t('columns.worker'),
      cell: (job) => (
        <span className={styles.stack}>
          {job.worker ? <Link to={paths.admin.jobs({ worker: job.worker._id })}>{worker(job)}</Link> : none}
          <span className={styles.muted}>{job.pool}</span>
        </span>
      ),
      text: (job) => [job.pool, worker(job)].filter(Boolean).join(' · '),
    },
    {
      key: 'lane',
      title: t('columns.lane'),
      optional: true,
      cell: ({ lane }) => t(`lanes.${lane}`),
      text: ({ lane }) => lane,
    },
    {
      key: 'priceClass',
      title: t('columns.priceClass'),
      cell: ({ priceClass }) => appUse(`class.${priceClass}`),
      text: ({ priceClass }) => priceClass,
    },
    {
      key: 'attempt',
      title: t('columns.attempt'),
      cell: ({ attempt }) => formatNumber(attempt, i18n.language),
      text: ({ attempt }) => String(attempt),
    },
    {
      key: 'duration',
      title: t('columns.duration'),
      cell: ({ durationMs }) => (durationMs == null ? none : formatDuration(durationMs)),
      text: ({ durationMs }) => String(durationMs ?? ''),
    },
    { key: 'credits', title: t('columns.credits'), cell: credits, text: credits },
    {
      key: 'actions',
      title: t('columns.actions'),
      cell: (job) => (isActive(job.status) ? <Cancel job={job} /> : none),
      text: ({ _id }) => _id,
    },
  ]
}

function Status({ job }: { job: AnyJob }) {
  const { t } = useTranslation('jobs')
  const reason = exceptionMessage(job)
  return (
    <span className={styles.stack}>
      <Chip tone={chipTone(job.status)}>{t(`status.${job.status}`)}</Chip>
      {reason && <span className={styles.muted}>{reason}</span>}
    </span>
  )
}

/** Each leads to the jobs of all users that have it. */
function Labels({ labels }: { labels: string[] }) {
  const { t } = useTranslation('jobs')
  return (
    <span className={styles.labels}>
      {labels.map((label) => (
        <Link key={label} to={paths.admin.jobs({ label })} title={t('labels.jobsWith', { label })}>
          {label}
        </Link>
      ))}
    </span>
  )
}

function Cancel({ job }: { job: AnyJob }) {
  const { t } = useTranslation('anyJobs')
  const { t: jobs } = useTranslation('jobs')
  const text = useProblemText()
  const nameOf = usePersonName()
  const confirm = useConfirm()
  const cancel = useCancelJob()
  const stop = async () => {
    const title = t('cancelTitle', { user: nameOf(job.user) })
    const question = { title, text: t('cancelText'), action: jobs('cancelJob'), keep: jobs('batch.keep') }
    if (!(await confirm({ ...question, danger: true }))) return
    cancel.mutate(job._id, {
      onError: (error) => toast.error(jobs('cancelFailed', { message: text(error) }), error),
    })
  }
  return (
    <Button size="small" tone="outline" busy={cancel.isPending} onClick={() => void stop()}>
      {jobs('cancelJob')}
    </Button>
  )
}
