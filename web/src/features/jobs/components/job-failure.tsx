import { useTranslation } from 'react-i18next'
import type { JobStatus } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { Icon } from '@/shared/ui/icon'
import { exceptionDetails, exceptionMessage } from '../model'
import { useFailureText } from '../use-failure-text'
import styles from './job-display.module.css'

type JobFailureProps = {
  status: JobStatus
  onRetry?: (() => void) | undefined
  /** Whether the page shows the job's id elsewhere. */
  hasId?: boolean | undefined
}

/** Why a job failed, with the details that support needs. A canceled job is not shown as an error. */
export default function JobFailure({ status, onRetry, hasId = false }: JobFailureProps) {
  const { t } = useTranslation('jobs')
  const failureText = useFailureText()
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
        {!canceled && <p>{failureText(status)}</p>}
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
