import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from './format'

/** A ban as the server tells of it: in the account, and in the details of `ACCOUNT_BANNED`. */
export type BanTerms = { until?: string | null; reason: string }

/** The terms of a ban in the details of an error; `undefined` where they are not there. */
export function banTerms(details: unknown): BanTerms | undefined {
  if (typeof details !== 'object' || details === null || !('reason' in details)) return undefined
  const { reason } = details
  if (typeof reason !== 'string') return undefined
  const until = 'until' in details && typeof details.until === 'string' ? details.until : null
  return { until, reason }
}

/** Says until when somebody is banned, and why. */
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
