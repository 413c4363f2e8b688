import type { TFunction } from 'i18next'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobStatus, JobStatusName, NodeErrors } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { formatDuration } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { Spinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { exceptionDetails, exceptionMessage, isActive, type LiveJob } from '../model'
import styles from './job-display.module.css'
import { JobOutputs } from './job-outputs'
import { WaitReason } from './wait-reason'

const UndeliveredOutputs = lazyPart(withTexts(chunk(() => import('./undelivered-outputs'))))

const PublishResult = lazyPart(chunk(() => import('./publish-result')))

type JobDisplayProps = {
  job: LiveJob | null
  /** Reconnects after a connection problem. */
  onAgain?: () => void
  onRetry?: (() => void) | undefined
  /** Whether it was just submitted on this page. */
  created?: boolean
  /** Whether the page shows the job's id elsewhere. */
  hasId?: boolean
}

/** One job from submit to its outputs, in the words of the specification. */
export function JobDisplay(props: JobDisplayProps) {
  return (
    <>
      <ProgressAnnouncer job={props.job} />
      {props.created && props.job && <JobCreated id={props.job.id} />}
      <Stage {...props} />
    </>
  )
}

/** Announces progress to screen readers in quarters, and the end. More would be noise. */
function ProgressAnnouncer({ job }: { job: LiveJob | null }) {
  const { t } = useTranslation('jobs')
  const status = job?.status?.status
  const quarter = status === 'Running' && job?.share ? Math.floor(job.share * 4) * 25 : 0
  return (
    <p className="visually-hidden" aria-live="polite">
      {quarter > 0 && t('display.percent', { percent: quarter })}
      {status === 'Done' && t('display.finished')}
    </p>
  )
}

function Stage({ job, onAgain, onRetry, hasId }: JobDisplayProps) {
  const { t } = useTranslation('jobs')
  if (!job) {
    return (
      <div className={classNames(styles.stage, styles.idle)}>
        <span className={styles.glyph}>
          <Icon name="picture" size={30} />
        </span>
        <p className={styles.idleText}>{t('display.none')}</p>
      </div>
    )
  }
  if (job.problem) return <ErrorState error={job.problem} {...(onAgain && { onRetry: onAgain })} />
  if (!job.status || isActive(job.status.status)) return <JobLive job={job} />
  if (job.status.status !== 'Done') return <JobFailure status={job.status} onRetry={onRetry} hasId={hasId} />
  if (!job.outputs) {
    return (
      <div className={styles.stage}>
        <p className={styles.status}>
          <span>
            <Spinner size={22} />
          </span>
          {t('display.waiting')}
        </p>
      </div>
    )
  }
  return (
    <>
      <SkippedOutputs errors={job.status.nodeErrors} />
      {job.outputs.some((output) => (output.undelivered?.length ?? 0) > 0) && (
        <Suspense>
          <UndeliveredOutputs outputs={job.outputs} />
        </Suspense>
      )}
      <JobOutputs outputs={job.outputs} />
      <Suspense>
        <PublishResult outputs={job.outputs} />
      </Suspense>
    </>
  )
}

function JobCreated({ id }: { id: string }) {
  const { t } = useTranslation('jobs')
  return (
    <p className={styles.created} role="status">
      <span>{t('jobCreated', { id })}</span>
      <span>{t('jobCreatedText')}</span>
    </p>
  )
}

function SkippedOutputs({ errors }: { errors: NodeErrors | null | undefined }) {
  const { t } = useTranslation('jobs')
  const nodes = Object.entries(errors ?? {})
  if (nodes.length === 0) return null
  const outputs = new Set(nodes.flatMap(([, node]) => node.dependent_outputs ?? []))
  return (
    <div className={styles.leftOut} role="note">
      <p>{t('leftOut.title', { count: outputs.size })}</p>
      <ul>
        {nodes.map(([id, node]) => (
          <li key={id}>
            {t('leftOut.node', { name: node.class_type, id })}
            {(node.errors ?? []).map((error) => (
              <span key={`${error.type} ${error.details}`} className={styles.leftOutError}>
                {[error.message, error.details].filter(Boolean).join(': ')}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}

type FailedStatus = Exclude<JobStatusName, 'Pending' | 'Connecting' | 'Connected' | 'Running' | 'Done' | 'Canceled'>

type JobFailureProps = {
  status: JobStatus
  onRetry?: (() => void) | undefined
  /** Whether the page shows the job's id elsewhere. */
  hasId?: boolean | undefined
}

/** Why a job failed, with the details that support needs. A canceled job is not shown as an error. */
function JobFailure({ status, onRetry, hasId = false }: JobFailureProps) {
  const { t } = useTranslation('jobs')
  const { t: appUse } = useTranslation('appUse')
  const canceled = status.status === 'Canceled'
  const message = exceptionMessage(status)
  const details = exceptionDetails(status)
  return (
    <div className={styles.stage}>
      <div className={styles.failed} role="alert">
        <span className={canceled ? styles.glyph : styles.failedGlyph}>
          <Icon name={canceled ? 'close' : 'warning'} size={28} />
        </span>
        <p className={styles.status}>
          {canceled ? t('display.canceled') : t('display.error', { status: status.status })}
        </p>
        {!canceled && <p>{appUse(`failure.${status.status as FailedStatus}`)}</p>}
        {message && <p className={styles.message}>{message}</p>}
        <p className={styles.note}>{t(canceled ? 'display.canceledText' : 'display.support')}</p>
        {!hasId && (
          <p className={styles.id}>
            {t('jobId')}
            <code>{status._id}</code>
            <CopyButton text={status._id} label={t('copyJobId')} />
          </p>
        )}
        {onRetry && (
          <Button icon="reset" onClick={onRetry}>
            {t('display.again')}
          </Button>
        )}
        {details && (
          <details className={styles.details}>
            <summary>{t('display.showTrace')}</summary>
            <pre>{details}</pre>
          </details>
        )}
      </div>
    </div>
  )
}

const TEXTS = { Pending: 'pending', Connecting: 'connecting', Connected: 'connected', Running: 'running' } as const

/** Queue positions above this are not counted. */
const MAX_POSITION = 1000

const textOf = (status: JobStatusName | undefined) =>
  `display.${TEXTS[status as keyof typeof TEXTS] ?? 'pending'}` as const

function JobLive({ job }: { job: LiveJob }) {
  const { t } = useTranslation('jobs')
  const status = job.status?.status
  return (
    <div className={classNames(styles.stage, job.preview && styles.withPreview)}>
      {job.preview && <img className={styles.preview} src={job.preview} alt={t('display.preview')} />}
      <div className={styles.live}>
        <p className={styles.status} role="status">
          {status !== 'Connected' && (
            <span>
              <Spinner size={20} />
            </span>
          )}
          {t(textOf(status))}
        </p>
        <p className={styles.meta}>{status === 'Running' ? runningText(job, t) : queueText(job, t)}</p>
        <div className={styles.bar}>
          <ProgressBar share={status === 'Running' ? job.share : null} label={t('display.progress')} />
        </div>
        {(status === 'Pending' || status === 'Connected' || status === 'Running') && (
          <div className={styles.waitReason}>
            <WaitReason key={status} id={job.id} isRunning={status === 'Running'} withRelease />
          </div>
        )}
        {job.transport === 'polling' && <p className={styles.note}>{t('display.polling')}</p>}
      </div>
    </div>
  )
}

function runningText({ progress }: LiveJob, t: TFunction<'jobs'>): string {
  if (!progress) return ''
  const parts = [progress.nodeTitle]
  if (progress.nodesTotal > 1) {
    const done = Math.min(progress.nodesDone + 1, progress.nodesTotal)
    parts.push(t('display.node', { done, total: progress.nodesTotal }))
  }
  if (progress.max > 1) parts.push(t('display.step', { value: progress.value, max: progress.max }))
  return parts.filter(Boolean).join(' · ')
}

function queueText({ queue }: LiveJob, t: TFunction<'jobs'>): string {
  if (!queue) return ''
  const place =
    queue.position <= 1
      ? t('display.next')
      : t('display.queue', { position: queue.position > MAX_POSITION ? `${MAX_POSITION}+` : queue.position })
  if (!queue.etaSeconds) return place
  const low = formatDuration(Math.round(queue.etaSeconds.low) * 1000)
  const high = formatDuration(Math.round(queue.etaSeconds.high) * 1000)
  return `${place} · ${low === high ? t('display.etaOne', { low }) : t('display.eta', { low, high })}`
}
