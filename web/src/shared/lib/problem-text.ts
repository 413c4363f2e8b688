import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, type ErrorCode } from '@/shared/api/errors'
import { banTerms, useBanText } from './ban-text'
import { ChunkError } from './chunk'

/** Refusals that have a sentence of their own in both languages, below `errors.reasons`. */
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
  'API_KEY_LIMIT',
  'AUTH_IDENTITY_EXISTS',
  'AUTH_IDENTITY_TAKEN',
  'AUTH_LAST_WAY',
  'OUT_OF_CREDITS',
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
  'CREDIT_LIMIT',
  'GRANT_REASON_USED',
  'WORKER_ADDRESS_CREDENTIALS',
  'WORKER_ADDRESS_TAKEN',
  'SESSION_REQUIRED',
] as const satisfies readonly ErrorCode[]
/** Those that add nothing to words which say already what failed. */
const GENERAL = ['FORBIDDEN', 'NOT_FOUND'] as const satisfies readonly ErrorCode[]

/** What operators wrote about a pause, in a language of the pages. */
function toldIn(details: unknown, language: string): string | undefined {
  if (typeof details !== 'object' || details === null) return undefined
  const told = (details as Record<string, unknown>)[language]
  return typeof told === 'string' ? told : undefined
}

/** What a refusal names: a format, a limit. */
function namesOf(details: unknown): Record<string, string | number> {
  if (typeof details !== 'object' || details === null) return {}
  const named = Object.entries(details).filter(([, value]) => ['string', 'number'].includes(typeof value))
  return Object.fromEntries(named) as Record<string, string | number>
}

/** Says why something was refused, where we know it better than "try again": a ban, a limit, a plan, a busy server. */
export function useReason(): (error: unknown) => string | undefined {
  const { t, i18n } = useTranslation()
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
      if (code === 'GALLERY_PAUSED') return toldIn(details, i18n.language)
      if (code === 'AUTH_LOGIN_REQUIRED') return t('errors.signInNeeded')
      const known = REASONS.find((reason) => reason === code)
      return known && t(`errors.reasons.${known}`, namesOf(details))
    },
    [t, i18n.language, banText],
  )
}

/** Turns an error into a sentence for people; the server's own message stands where we know no better one. */
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
