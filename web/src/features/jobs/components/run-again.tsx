import { useTranslation } from 'react-i18next'
import type { Job } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { useRerun } from '../use-rerun'

/** Runs a job again, unchanged, and opens the new job. */
export function RunAgain({ job, small = false }: { job: Job; small?: boolean }) {
  const { t } = useTranslation('jobs')
  const { busy, start } = useRerun(job._id, (message) => t('againFailed', { message }))
  return (
    <Button
      tone="outline"
      icon="reset"
      {...(small ? { size: 'small' as const } : { wide: true })}
      busy={busy}
      onClick={start}
    >
      {t('runAgain')}
    </Button>
  )
}
