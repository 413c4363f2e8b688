import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Job } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatDuration, formatRelative } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Picture } from '@/shared/ui/picture'
import { chipTone, isActive } from '../model'
import { JobLabels } from './job-labels'
import styles from './job-row.module.css'
import { RunAgain } from './run-again'
import WaitReason from './wait-reason'

type JobRowProps = { job: Job; canceling: boolean; showsReason: boolean; onCancel: (id: string) => void }

export function JobRow({ job, canceling, showsReason, onCancel }: JobRowProps) {
  const { t, i18n } = useTranslation('jobs')
  const { t: appUse } = useTranslation('appUse')
  const cover = job.workflow?.cover
  const result = job.result
  const translated = useTranslated()
  const name = (job.workflow && translated(job.workflow).name) ?? t('rawPrompt')
  return (
    <li className={styles.row}>
      <span className={styles.face}>
        {result?.thumbnailUrl ? (
          <Picture
            className={classNames(styles.cover, result.isNsfw && styles.blurred)}
            src={result.thumbnailUrl}
            blur={result.blurHash}
            alt={t('resultOf', { name })}
          />
        ) : (
          <Picture
            className={classNames(styles.cover, styles.pale)}
            src={cover?.thumbnailUrl ?? cover?.url}
            fallback={cover?.url ?? null}
            alt=""
          />
        )}
        {result && result.count > 1 && <span className={styles.count}>{t('more', { count: result.count - 1 })}</span>}
      </span>
      <div className={styles.main}>
        <Link className={styles.name} to={paths.job(job._id)}>
          {name}
        </Link>
        <p className={styles.facts}>
          <time dateTime={job.createdAt}>{formatRelative(job.createdAt, i18n.language)}</time>
          {job.durationMs != null && <span>{formatDuration(job.durationMs)}</span>}
          <span>
            {isActive(job.status)
              ? t('creditsHeld', { count: job.credits.held })
              : t('creditsUsed', { count: job.credits.used ?? 0 })}
          </span>
        </p>
        <JobLabels labels={job.labels} />
        {showsReason && job.status === 'Pending' && <WaitReason id={job._id} />}
      </div>
      <div className={styles.side}>
        {job.priceClass === 'flex' && <Chip>{appUse('class.flex')}</Chip>}
        <Chip tone={chipTone(job.status)}>{t(`status.${job.status}`)}</Chip>
        {isActive(job.status) && (
          <Button size="small" tone="outline" busy={canceling} onClick={() => onCancel(job._id)}>
            {t('cancelJob')}
          </Button>
        )}
        {!isActive(job.status) && <RunAgain job={job} small />}
      </div>
    </li>
  )
}
