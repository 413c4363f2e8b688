import { useTranslation } from 'react-i18next'
import type { JobStatus, JobStatusName } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { Icon } from '@/shared/ui/icon'
import { exceptionDetails, exceptionMessage } from '../model'
import styles from './job-display.module.css'

type FailedStatus = Exclude<JobStatusName, 'Pending' | 'Connecting' | 'Connected' | 'Running' | 'Done' | 'Canceled'>

type JobFailureProps = {
  status: JobStatus
  onRetry?: (() => void) | undefined
  /** Whether the page shows the job's id elsewhere. */
  hasId?: boolean | undefined
}

/** How a job failed, with what support will ask for. A canceled job is no failure and gets no red. */
export function JobFailure({ status, onRetry, hasId = false }: JobFailureProps) {
  const { t } = useTranslation('jobs')
  const { t: told } = useTranslation('appUse')
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
        {!canceled && <p>{told(`failure.${status.status as FailedStatus}`)}</p>}
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
