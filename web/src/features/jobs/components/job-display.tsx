import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { classNames } from '@/shared/lib/class-names'
import { Icon } from '@/shared/ui/icon'
import { lazyPart } from '@/shared/ui/lazy-part'
import { Spinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { isActive, type LiveJob } from '../model'
import { JobCreated } from './job-created'
import styles from './job-display.module.css'
import { JobFailure } from './job-failure'
import { JobLeftOut } from './job-left-out'
import { JobLive } from './job-live'
import { JobOutputs } from './job-outputs'

const JobUndelivered = lazyPart(
  withTexts(
    chunk(
      () => import('./job-undelivered'),
      (module) => ({ default: module.JobUndelivered }),
    ),
  ),
)

const PublishResult = lazyPart(
  chunk(
    () => import('./publish-result'),
    (module) => ({ default: module.PublishResult }),
  ),
)

type JobDisplayProps = {
  job: LiveJob | null
  /** Watches anew after a problem of the connection. */
  onAgain?: () => void
  /** Runs the same once more after a failure. */
  onRetry?: (() => void) | undefined
  /** Whether it was sent on this page just now. */
  created?: boolean
  /** Whether the page shows the job's id elsewhere. */
  hasId?: boolean
}

/** One job from "nothing yet" to its outputs, in the words of the specification. */
export function JobDisplay(props: JobDisplayProps) {
  return (
    <>
      <Spoken job={props.job} />
      {props.created && props.job && <JobCreated id={props.job.id} />}
      <Stage {...props} />
    </>
  )
}

/** Says aloud how far it is, in quarters, and that it is done: every step would drown all else. */
function Spoken({ job }: { job: LiveJob | null }) {
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
      <JobLeftOut errors={job.status.nodeErrors} />
      {job.outputs.some((output) => (output.undelivered?.length ?? 0) > 0) && (
        <Suspense>
          <JobUndelivered outputs={job.outputs} />
        </Suspense>
      )}
      <JobOutputs outputs={job.outputs} />
      <Suspense>
        <PublishResult outputs={job.outputs} />
      </Suspense>
    </>
  )
}
