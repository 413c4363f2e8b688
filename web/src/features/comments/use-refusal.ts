import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'

/** Why the server refused a comment, in words that say what to do. */
export function useRefusal(): (error: unknown) => string {
  const { t } = useTranslation('comments')
  const text = useProblemText()
  return useCallback(
    (error) => {
      if (!isApiError(error)) return text(error)
      if (error.code === 'FORBIDDEN') return t('refused.forbidden')
      if (error.code === 'NOT_FOUND') return t('refused.gone')
      return text(error)
    },
    [t, text],
  )
}
