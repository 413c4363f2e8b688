import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from './format'

/** A ban, as in the account and in the details of `ACCOUNT_BANNED`. */
export type BanTerms = { until?: string | null; reason: string }

/** Reads a ban from the details of an error; `undefined` if there is none. */
export function banTerms(details: unknown): BanTerms | undefined {
  if (typeof details !== 'object' || details === null || !('reason' in details)) return undefined
  const { reason } = details
  if (typeof reason !== 'string') return undefined
  const until = 'until' in details && typeof details.until === 'string' ? details.until : null
  return { until, reason }
}

/** Formats the end and the reason of a ban. */
export function useBanText(): (ban: BanTerms) => string {
  const { t, i18n } = useTranslation()
  return useCallback(
    ({ until, reason }) => {
      const end = until ? t('ban.until', { time: formatMoment(until, i18n.language) }) : t('ban.forGood')
      return `${end} ${t('ban.reason', { reason })}`
    },
    [t, i18n.language],
  )
}
