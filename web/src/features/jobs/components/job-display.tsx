import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { Icon } from '@/shared/ui/icon'
import { Spinner } from '@/shared/ui/spinner'
import { ErrorState } from '@/shared/ui/states'
import { isActive, type LiveJob } from '../model'
import styles from './job-display.module.css'
import { JobFailure } from './job-failure'
import { JobLeftOut } from './job-left-out'
import { JobLive } from './job-live'
import { JobOutputs } from './job-outputs'

/** One job from "nothing yet" to its outputs, in the words of the specification. */
export function JobDisplay({ job }: { job: LiveJob | null }) {
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
  if (job.problem) return <ErrorState error={job.problem} />
  if (!job.status || isActive(job.status.status)) return <JobLive job={job} />
  if (job.status.status !== 'Done') return <JobFailure status={job.status} />
  if (!job.outputs) {
    return (
      <div className={styles.stage} role="status">
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
      <JobOutputs outputs={job.outputs} />
    </>
  )
}
