import { useNavigate } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { randomId } from '@/shared/lib/random-id'
import { useToast } from '@/shared/ui/toast'
import { useRunAgain } from './api'

/** Runs what a job ran once more, as it was sent, and opens the new job. `failed` says that it could not be sent, and why. */
export function useStartAgain(job: string, failed: (message: string) => string): { busy: boolean; start: () => void } {
  const navigate = useNavigate()
  const toast = useToast()
  const text = useProblemText()
  const { mutate, isPending } = useRunAgain()
  const start = () =>
    mutate(
      { id: job, key: randomId() },
      {
        onSuccess: ({ _id }) => void navigate(paths.job(_id), { state: { created: true } }),
        onError: (error) => toast.error(failed(text(error)), error),
      },
    )
  return { busy: isPending, start }
}
