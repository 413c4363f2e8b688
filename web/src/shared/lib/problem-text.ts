import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import type common from '@/shared/i18n/locales/en/common.json'
import type reasons from '@/shared/i18n/locales/en/reasons.json'
import { banTerms, useBanText } from './ban-text'
import { ChunkError } from './chunk'
import { formatMoment } from './format'

/** Errors with a text of their own in both languages, under `errors.reasons`: those of the landing pages. */
type Reason = keyof typeof common.errors.reasons
/** The same for errors of pages that load their texts with their code, under `reasons.codes`. */
type LateReason = keyof typeof reasons.codes
/** What the providers of cards say, under `reasons.card`. */
type CardReason = keyof typeof reasons.card
/** Why an order cannot be refunded, under `reasons.notRefundable`. */
type RefundRefusal = keyof typeof reasons.notRefundable

/** Both compile only if all texts belong to codes of the server. */
const isReason = (code: ErrorCode, has: HasText): code is Reason => has(`errors.reasons.${code}`)
const isLateReason = (code: ErrorCode, has: HasText): code is LateReason => has(`reasons:codes.${code}`)
type HasText = (key: string) => boolean

/** Errors whose text adds nothing to a title that says what failed. */
const GENERAL = ['FORBIDDEN', 'NOT_FOUND'] as const satisfies readonly ErrorCode[]

/** The operators' text about a pause in a language. */
function textIn(details: unknown, language: string): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined
  const text = (details as Record<string, unknown>)[language]
  return typeof text === 'string' ? text : undefined
}

/** A time as the API writes it. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** The placeholders for a refusal's text, such as a format, a limit or a time. */
function namesOf(details: unknown, language: string): Record<string, string | number> {
  if (typeof details !== 'object' || details === null) return {}
  const named = Object.entries(details)
    .filter(([, value]) => ['string', 'number'].includes(typeof value))
    .map(([name, value]) => [name, TIME.test(value) ? formatMoment(value, language) : value])
  return Object.fromEntries(named) as Record<string, string | number>
}

/** The reason of an error, if it is more specific than "try again": a ban, a limit, a plan, a busy server. */
export function useReason(): (error: unknown) => string | undefined {
  const { t, i18n } = useTranslation()
  const { t: late } = useTranslation('reasons')
  const banText = useBanText()
  return useCallback(
    (error) => {
      if (error instanceof ChunkError) return t('errors.fileMissing')
      if (!(error instanceof ApiError)) return undefined
      const { status, code, details } = error
      if (status === 0) return t('errors.network')
      if (status === 429) return t('errors.rateLimited', { seconds: error.retryAfterSeconds ?? 1 })
      const { retryAfterSeconds } = error
      if (status === 503 && retryAfterSeconds !== undefined) return t('errors.busy', { seconds: retryAfterSeconds })
      const ban = code === 'ACCOUNT_BANNED' ? banTerms(details) : undefined
      if (ban) return banText(ban)
      if (code === 'GALLERY_PAUSED') return textIn(details, i18n.language)
      if (code === 'AUTH_LOGIN_REQUIRED') return t('errors.signInNeeded')
      const names = namesOf(details, i18n.language)
      if (code === 'COUPON_PLAN_NOT_NOW' && names.until) return late('couponPlanUntil', names)
      const has = (key: string) => i18n.exists(key)
      if (code === 'ORDER_NOT_REFUNDABLE') {
        const isKnown = has(`reasons:notRefundable.${names.why}`)
        return late(`notRefundable.${isKnown ? (names.why as RefundRefusal) : 'Other'}`)
      }
      if (code === 'CARD_REFUSED' && has(`reasons:card.${names.reason}`)) {
        return late(`card.${names.reason as CardReason}`)
      }
      if (isLateReason(code, has)) return late(`codes.${code}`, names)
      const isGeneral = GENERAL.some((one) => one === code)
      return isReason(code, has) && !isGeneral ? t(`errors.reasons.${code}`, names) : undefined
    },
    [t, late, i18n, i18n.language, banText],
  )
}

/** The text of an error for users. Falls back to the server's own message. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation()
  const reason = useReason()
  return useCallback(
    (error) => {
      const known = reason(error)
      if (known) return known
      if (!(error instanceof ApiError) || error.status >= 500) return t('errors.requestFailed')
      const general = GENERAL.find((one) => one === error.code)
      if (general) return t(`errors.reasons.${general}`)
      return error.message || t('errors.unknown')
    },
    [t, reason],
  )
}
