import { useCallback } from 'react'
import { isApiError } from '@/shared/api/errors'
import { useProblemText } from '@/shared/lib/problem-text'
import { useToast } from '@/shared/ui/toast'

/** Says that something failed: in the server's words where it has some, else in ours, with the reason below them. */
export function useTold(): (error: unknown, fallback: string) => void {
  const toast = useToast()
  const text = useProblemText()
  return useCallback(
    (error, fallback) => {
      const isTold = isApiError(error) && error.status >= 400 && error.status < 500
      toast.error(isTold ? text(error) : fallback, error)
    },
    [toast, text],
  )
}
