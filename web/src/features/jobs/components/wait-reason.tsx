import { useQuery } from '@tanstack/react-query'
import type { i18n, TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WaitingReason as Why } from '@/shared/api/types'
import type appUse from '@/shared/i18n/locales/en/app-use.json'
import { formatDuration, formatMoment } from '@/shared/lib/format'
import { waitReasonQuery } from '../api'
import styles from './wait-reason.module.css'

/** Most jobs start at once. Ask only for those that wait longer. */
const DELAY_MS = 1500

type ReasonCode = keyof (typeof appUse)['why']

/** Codes shown for a running job; the others mean that all is well. */
const WHILE_RUNNING: string[] = ['WORKER_SILENT', 'RUNNING_ON_LAST_CREDITS']

type WaitReasonProps = { id: string; withRelease?: boolean; isRunning?: boolean }

export default function WaitReason({ id, withRelease = false, isRunning = false }: WaitReasonProps) {
  const { t, i18n } = useTranslation('appUse')
  const [waits, setWaits] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setWaits(true), DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  const why = useQuery({ ...waitReasonQuery(id), enabled: waits })
  if (!why.data || (isRunning && !WHILE_RUNNING.includes(why.data.code))) return null
  const { reason, release } = waitReasonText(why.data, t, i18n)
  return (
    <p className={styles.reason} role={isRunning ? 'status' : undefined}>
      {reason}
      {withRelease && release && ` ${release}`}
    </p>
  )
}

/** The reason in the reader's language. Unknown codes of a newer server use the server's text. */
function waitReasonText(why: Why, t: TFunction<'appUse'>, i18n: i18n): { reason: string; release: string } {
  if (!i18n.exists(`why.${why.code}`, { ns: 'appUse' })) return { reason: why.message, release: '' }
  const code = why.code as ReasonCode
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
    until,
  } = why.details
  const count = (value: unknown) => `${Number(value)}${more ? '+' : ''}`
  const places = {
    own: count(own),
    total: count(Number(own) + Number(others)),
    missing: Array.isArray(missing) ? missing.join(', ') : '',
    attempt: Number(attempt) + 1,
    pool: String(pool),
    workers: Number(workers),
    since: since ? new Date(String(since)).toLocaleTimeString(i18n.language) : '',
    patience: formatDuration(Number(patienceSeconds ?? 0) * 1000),
    until: until ? formatMoment(String(until), i18n.language) : '',
    lasts: formatDuration(Number(lastsSeconds ?? 0) * 1000),
  }
  return { reason: t(`why.${code}`, places), release: t(`release.${code}`) }
}
