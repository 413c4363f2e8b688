import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Job } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import styles from './job-labels.module.css'

/** The labels of a job; each leads to the jobs that have it. */
export function JobLabels({ labels }: { labels: Job['labels'] }) {
  const { t } = useTranslation('jobs')
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  if (pairs.length === 0) return null
  return (
    <p className={styles.labels}>
      {pairs.map((label) => (
        <Link key={label} to={paths.jobsWith(label)} title={t('labels.jobsWith', { label })}>
          {label}
        </Link>
      ))}
    </p>
  )
}

/** The head of the jobs with one label. */
export function LabelHead({ label }: { label: string }) {
  const { t } = useTranslation('jobs')
  return (
    <p className={styles.head}>
      <strong>{t('labels.jobsWith', { label })}</strong> <Link to={paths.jobs()}>{t('batch.all')}</Link>
    </p>
  )
}
