import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '@/shared/api/errors'
import { banTerms, useBanText } from './ban-text'

/** Turns an error into a sentence for people; the server's own message stands where we know no better one. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTranslation()
  const banText = useBanText()
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) return t('errors.requestFailed')
      if (error.status === 0) return t('errors.network')
      if (error.status === 429) return t('errors.rateLimited', { seconds: error.retryAfterSeconds ?? 1 })
      const ban = error.code === 'ACCOUNT_BANNED' ? banTerms(error.details) : undefined
      if (ban) return banText(ban)
      if (error.code === 'AUTH_LOGIN_REQUIRED') return t('errors.signInNeeded')
      return error.status >= 500 ? t('errors.requestFailed') : error.message || t('errors.unknown')
    },
    [t, banText],
  )
}
