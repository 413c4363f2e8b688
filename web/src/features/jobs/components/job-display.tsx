import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobStatusName, NodeErrors } from '@/shared/api/types'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { Spinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { isActive, type LiveJob, queueText, runningText } from '../model'
import styles from './job-display.module.css'
import { JobOutputs } from './job-outputs'
import { WaitReason } from './lazy-wait-reason'

const UndeliveredOutputs = lazyPart(withTexts(chunk(() => import('./undelivered-outputs'))))

const JobFailure = lazyPart(withTexts(chunk(() => import('./job-failure'))))

const PublishResult = lazyPart(chunk(() => import('./publish-result')))

type JobDisplayProps = {
  job: LiveJob | null
  /** Reconnects after a connection problem. */
  onAgain?: () => void
  /** Submits again what failed. */
  onRetry?: () => void
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
  if (job.status.status !== 'Done') {
    return (
      <Suspense fallback={<div className={styles.stage} aria-busy />}>
        <JobFailure status={job.status} onRetry={onRetry} hasId={hasId} />
      </Suspense>
    )
  }
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

const TEXTS = { Pending: 'pending', Connecting: 'connecting', Connected: 'connected', Running: 'running' } as const

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
            <Suspense fallback={null}>
              <WaitReason key={status} id={job.id} isRunning={status === 'Running'} withRelease />
            </Suspense>
          </div>
        )}
        {job.transport === 'polling' && <p className={styles.note}>{t('display.polling')}</p>}
      </div>
    </div>
  )
}
