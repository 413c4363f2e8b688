import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useRunAgain } from '@/features/jobs'
import { paths } from '@/shared/lib/paths'
import { useProblemText } from '@/shared/lib/problem-text'
import { randomId } from '@/shared/lib/random-id'
import { Button } from '@/shared/ui/button'
import { useToast } from '@/shared/ui/toast'

/** Runs a prompt of one's own once more, as it was sent and with its files. */
export default function RunPrompt({ job }: { job: string }) {
  const { t } = useTranslation('gallery')
  const { t: apps } = useTranslation('miniApps')
  const navigate = useNavigate()
  const toast = useToast()
  const text = useProblemText()
  const run = useRunAgain()
  const start = () =>
    run.mutate(
      { id: job, key: randomId() },
      {
        onSuccess: ({ _id }) => {
          void navigate(paths.job(_id), { state: { created: true } })
        },
        onError: (error) => toast.error(apps('jobCreateError', { message: text(error) }), error),
      },
    )
  return (
    <Button tone="outline" icon="bolt" busy={run.isPending} onClick={start}>
      {t('origin.runPrompt')}
    </Button>
  )
}
