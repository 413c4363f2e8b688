import { useNavigate } from 'react-router'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { randomId } from '@/shared/lib/random-id'
import { openModal } from '@/shared/ui/modals'
import { toast } from '@/shared/ui/toast'
import { useRunAgain } from './api'

/**
 * Runs a job again, unchanged, and opens the new job. `failed` makes the error notice. Without credits the prompt of
 * `noCredit` opens instead.
 */
export function useRerun(job: string, failed: (message: string) => string): { busy: boolean; start: () => void } {
  const navigate = useNavigate()
  const text = useProblemText()
  const { mutate, isPending } = useRunAgain()
  const start = () =>
    mutate(
      { id: job, key: randomId() },
      {
        onSuccess: ({ _id }) => void navigate(paths.job(_id), { state: { created: true } }),
        onError: (error) => {
          if (isApiError(error, 402)) openModal('noCredit', {})
          else toast.error(failed(text(error)), error)
        },
      },
    )
  return { busy: isPending, start }
}
