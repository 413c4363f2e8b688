import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import { banTerms, useBanText } from './ban-text'
import { ChunkError } from './chunk'
import { formatMoment } from './format'

/** Errors with a text of their own in both languages, under `errors.reasons`: those of the landing pages. */
const REASONS = [
  'AUTH_EMAIL_UNVERIFIED',
  'AUTH_WRONG_CREDENTIALS',
  'AUTH_DISABLED',
  'STEALTH_MODE_REQUIRED',
  'POST_LOCKED',
  'MODERATION_LOCKED',
  'NOT_PUBLISHABLE',
  'COMMENT_HIDDEN',
  'LIKE_OWN',
  'LIKE_PRIVATE',
  'REPORT_OWN',
  'OUT_OF_CREDITS',
  'CREDIT_CEILING',
  'STORAGE_FULL',
  'FILE_TOO_LARGE',
  'BODY_TOO_LARGE',
  'FILE_NOT_AN_IMAGE',
  'FILE_EMPTY',
  'FILE_TRUNCATED',
  'FILE_FORMAT_UNSUPPORTED',
  'FILE_SIDES_UNSUPPORTED',
  'FILE_NOT_MEDIA',
  'FILE_TOO_LONG',
  'FILE_MEDIA_UNAVAILABLE',
  'XSRF_MISMATCH',
  'SESSION_REQUIRED',
] as const satisfies readonly ErrorCode[]
/** The same for errors of pages that load their texts with their code, in `reasons`. */
const LATE_REASONS = [
  'API_KEY_LIMIT',
  'AUTH_IDENTITY_EXISTS',
  'AUTH_IDENTITY_TAKEN',
  'AUTH_LAST_WAY',
  'CREDIT_LIMIT',
  'COUPON_UNKNOWN',
  'COUPON_NOT_STARTED',
  'COUPON_ENDED',
  'COUPON_USED',
  'COUPON_USED_UP',
  'COUPON_PLAN_NOT_NOW',
  'COUPON_CODE_TAKEN',
  'GRANT_REASON_USED',
  'TERMS_NOT_AGREED',
  'BUYING_NOT_SET_UP',
  'ORDER_NOT_CANCELABLE',
  'TEST_PAYMENT_ANSWERED',
  'CREDITS_USED',
  'WORKER_ADDRESS_CREDENTIALS',
  'WORKER_ADDRESS_TAKEN',
] as const satisfies readonly ErrorCode[]
/** Errors whose text adds nothing to a title that says what failed. */
const GENERAL = ['FORBIDDEN', 'NOT_FOUND'] as const satisfies readonly ErrorCode[]

/** The operators' text about a pause in a language. */
function textIn(details: unknown, language: string): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined
  const text = (details as Record<string, unknown>)[language]
  return typeof text === 'string' ? text : undefined
}

/** Why an order cannot be refunded. */
const REFUND_REFUSALS = ['Used', 'TooLate', 'NotPaid'] as const

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
      if (code === 'ORDER_NOT_REFUNDABLE') {
        const why = REFUND_REFUSALS.find((one) => one === names.why)
        return late(`notRefundable.${why ?? 'Other'}`)
      }
      const lateReason = LATE_REASONS.find((reason) => reason === code)
      if (lateReason) return late(lateReason, names)
      const known = REASONS.find((reason) => reason === code)
      return known && t(`errors.reasons.${known}`, names)
    },
    [t, late, i18n.language, banText],
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
