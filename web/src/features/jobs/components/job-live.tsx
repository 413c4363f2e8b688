import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { JobStatusName } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { formatDuration } from '@/shared/lib/format'
import { ProgressBar } from '@/shared/ui/progress-bar'
import { Spinner } from '@/shared/ui/spinner'
import type { LiveJob } from '../model'
import styles from './job-display.module.css'
import { JobWhy } from './job-why'

const TEXTS = { Pending: 'pending', Connecting: 'connecting', Connected: 'connected', Running: 'running' } as const

/** Places beyond it are not counted. */
const COUNTED = 1000

const textOf = (status: JobStatusName | undefined) =>
  `display.${TEXTS[status as keyof typeof TEXTS] ?? 'pending'}` as const

/** What goes on right now: place in the queue, the node that runs and its step, and the picture as far as it is. */
export function JobLive({ job }: { job: LiveJob }) {
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
          <div className={styles.why}>
            <JobWhy key={status} id={job.id} isRunning={status === 'Running'} withRelease />
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
      : t('display.queue', { position: queue.position > COUNTED ? `${COUNTED}+` : queue.position })
  if (!queue.etaSeconds) return place
  const low = formatDuration(Math.round(queue.etaSeconds.low) * 1000)
  const high = formatDuration(Math.round(queue.etaSeconds.high) * 1000)
  return `${place} · ${low === high ? t('display.etaOne', { low }) : t('display.eta', { low, high })}`
}
