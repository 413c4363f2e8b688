import { useProblemText } from '@/shared/lib/problem-text'
import { toast } from './toast'

/** Options for `mutate` that show the result as a toast. `failed` makes the error title from the reason. */
export function useResultToasts() {
  const text = useProblemText()
  return (done: string, failed = (message: string) => message) => ({
    onSuccess: () => toast.success(done),
    onError: (error: Error) => toast.error(failed(text(error)), error),
  })
}
