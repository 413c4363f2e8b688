import { useCallback } from 'react'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { toast } from '@/shared/ui/toast'

/** Shows a failure toast: the server's message if it has one, else `fallback`, with the reason below. */
export function useFailureToast(): (error: unknown, fallback: string) => void {
  const text = useProblemText()
  return useCallback(
    (error, fallback) => {
      const hasMessage = isApiError(error) && error.status >= 400 && error.status < 500
      toast.error(hasMessage ? text(error) : fallback, error)
    },
    [text],
  )
}
