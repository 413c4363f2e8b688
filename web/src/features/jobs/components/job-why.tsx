import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobWhy as Why } from '@/shared/api/types'
import { formatDuration } from '@/shared/lib/format'
import { whyQuery } from '../api'
import styles from './job-why.module.css'

/** Most jobs are taken within a moment; only one that really waits is asked about. */
const PATIENCE_MS = 1500

const CODES = [
  'NEXT',
  'WORKERS_BUSY',
  'OWN_JOBS_AHEAD',
  'OTHER_JOBS_AHEAD',
  'NO_WORKER',
  'WORKERS_AWAY',
  'WORKERS_KEPT_OUT',
  'MISSING_CAPABILITY',
  'STORAGE_AWAY',
  'RETRY_PAUSE',
  'STOPPING',
  'STARTING',
  'QUEUED_AT_WORKER',
  'WORKER_SILENT',
  'RUNNING_ON_LAST_CREDITS',
] as const

/** What a running job is told of: everything else is well. */
const WHILE_RUNNING: string[] = ['WORKER_SILENT', 'RUNNING_ON_LAST_CREDITS']

type JobWhyProps = { id: string; withRelease?: boolean; isRunning?: boolean }

/** What a job waits for, and what would release it. Nothing while that is not known, or a running job is well. */
export function JobWhy({ id, withRelease = false, isRunning = false }: JobWhyProps) {
  const { t, i18n } = useTranslation('jobs')
  const [waits, setWaits] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaits(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  const why = useQuery({ ...whyQuery(id), enabled: waits })
  if (!why.data || (isRunning && !WHILE_RUNNING.includes(why.data.code))) return null
  const { reason, release } = whyText(why.data, t, i18n.language)
  return (
    <p className={styles.why} role={isRunning ? 'status' : undefined}>
      {reason}
      {withRelease && release && ` ${release}`}
    </p>
  )
}

/** The reason in the reader's language; a code of a later release is told in the server's words. */
export function whyText(why: Why, t: TFunction<'jobs'>, language: string): { reason: string; release: string } {
  const code = CODES.find((known) => known === why.code)
  if (!code) return { reason: why.message, release: '' }
  const {
    own = 0,
    others = 0,
    more,
    missing,
    attempt = 0,
    pool = '',
    workers = 0,
    since,
    patienceSeconds,
    lastsSeconds,
  } = why.details
  const count = (value: unknown) => `${Number(value)}${more ? '+' : ''}`
  const places = {
    own: count(own),
    total: count(Number(own) + Number(others)),
    missing: Array.isArray(missing) ? missing.join(', ') : '',
    attempt: Number(attempt) + 1,
    pool: String(pool),
    workers: Number(workers),
    since: since ? new Date(String(since)).toLocaleTimeString(language) : '',
    patience: formatDuration(Number(patienceSeconds ?? 0) * 1000),
    lasts: formatDuration(Number(lastsSeconds ?? 0) * 1000),
  }
  return { reason: t(`why.${code}`, places), release: t(`release.${code}`) }
}
