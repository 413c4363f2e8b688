import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Job } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { randomId } from '@/shared/lib/random-id'
import { Button } from '@/shared/ui/button'
import { useToast } from '@/shared/ui/toast'
import { useRunAgain } from '../api'

/** Runs what a job ran once more, as it was sent, and opens the new job. */
export function RunAgain({ job, small = false }: { job: Job; small?: boolean }) {
  const { t } = useTranslation('jobs')
  const navigate = useNavigate()
  const toast = useToast()
  const text = useProblemText()
  const run = useRunAgain()
  const start = () =>
    run.mutate(
      { id: job._id, key: randomId() },
      {
        onSuccess: ({ _id }) => void navigate(paths.job(_id), { state: { created: true } }),
        onError: (error) => toast.error(t('againFailed', { message: text(error) }), error),
      },
    )
  return (
    <Button
      tone="outline"
      icon="reset"
      {...(small ? { size: 'small' as const } : { wide: true })}
      busy={run.isPending}
      onClick={start}
    >
      {t('runAgain')}
    </Button>
  )
}
