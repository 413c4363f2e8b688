import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { chipTone, isActive, outputsQuery } from '@/features/jobs'
import type { Job } from '@/shared/api/types'
import { formatDuration, formatMoment, formatRelative } from '@/shared/lib/format'
import { hidesNsfw, useNsfwChoice } from '@/shared/lib/nsfw'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Icon } from '@/shared/ui/icon'
import { Picture } from '@/shared/ui/picture'
import type { ReadForm } from '@/shared/ui/schema-form/read-form'
import { summaryOf } from '../earlier-values'
import styles from './earlier-runs.module.css'

type EarlierRunProps = { job: Job; form: ReadForm; disabled: boolean; busy: boolean; onUse: () => void }

/** One earlier run: its result, its input, its date, a link to its job, and a button that loads its values. */
export function EarlierRun({ job, form, disabled, busy, onUse }: EarlierRunProps) {
  const { t, i18n } = useTranslation('appUse')
  const { t: jobs } = useTranslation('jobs')
  const when = formatRelative(job.createdAt, i18n.language)
  const summary = summaryOf(form, job)
  return (
    <li className={styles.run}>
      <Face job={job} />
      <div className={styles.words}>
        <p className={styles.head}>
          <Chip tone={chipTone(job.status)}>{jobs(`status.${job.status}`)}</Chip>
          <Link className={styles.link} to={paths.job(job._id)} aria-label={t('runs.open', { when })}>
            <time dateTime={job.createdAt}>{when}</time>
          </Link>
          {job.durationMs != null && <span>{formatDuration(job.durationMs)}</span>}
        </p>
        {summary && <p className={styles.summary}>{summary}</p>}
        <Button
          className={styles.use as string}
          size="small"
          tone="outline"
          icon="reset"
          disabled={disabled}
          busy={busy}
          aria-label={t('runs.useOf', { when: formatMoment(job.createdAt, i18n.language) })}
          onClick={onUse}
        >
          {t('runs.use')}
        </Button>
      </div>
    </li>
  )
}

function Face({ job }: { job: Job }) {
  const { t } = useTranslation('appUse')
  const { t: jobs } = useTranslation('jobs')
  const choice = useNsfwChoice()
  const { result } = job
  if (result) {
    const alt = t(result.kind === 'video' ? 'runs.clip' : 'runs.picture')
    return (
      <span className={styles.face} data-blurred={(result.isNsfw && hidesNsfw(choice)) || undefined}>
        {result.thumbnailUrl && <Picture src={result.thumbnailUrl} blur={result.blurHash} alt={alt} ratio={1} />}
        {result.kind === 'video' && (
          <span className={styles.play}>
            <Icon name="play" size={18} />
            {!result.thumbnailUrl && <span className="visually-hidden">{alt}</span>}
          </span>
        )}
        {result.count > 1 && <span className={styles.count}>{jobs('more', { count: result.count - 1 })}</span>}
      </span>
    )
  }
  if (job.status === 'Done') return <OtherFace id={job._id} />
  return (
    <span className={styles.face}>
      <Icon name={isActive(job.status) ? 'clock' : job.status === 'Canceled' ? 'ban' : 'warning'} size={22} />
    </span>
  )
}

/** The preview of a run without pictures or videos: its first text, or the number of files. */
function OtherFace({ id }: { id: string }) {
  const { t } = useTranslation('appUse')
  // Outputs do not change after the job has ended.
  const outputs = useQuery({ ...outputsQuery(id), staleTime: Number.POSITIVE_INFINITY }).data
  const made = outputs?.map((one) => one.outputs) ?? []
  const words = made.flatMap(({ text }) => text ?? []).find((text) => text.trim() !== '')
  if (words) return <span className={styles.text}>{words.slice(0, 200)}</span>
  const sounds = made.flatMap(({ audio }) => audio ?? []).length
  const files = made.flatMap(({ files }) => files ?? []).length
  return (
    <span className={styles.face}>
      <Icon name={sounds > 0 ? 'play' : 'log'} size={22} />
      {sounds + files > 0 && (
        <span className={styles.count}>{t(sounds > 0 ? 'runs.sounds' : 'runs.files', { count: sounds || files })}</span>
      )}
    </span>
  )
}
