import { useTranslation } from 'react-i18next'
import { useStartAgain } from '@/features/jobs'
import { Button } from '@/shared/ui/button'

/** Runs a prompt of one's own once more, as it was sent and with its files. */
export default function RunPrompt({ job }: { job: string }) {
  const { t } = useTranslation('gallery')
  const { t: apps } = useTranslation('miniApps')
  const { busy, start } = useStartAgain(job, (message) => apps('jobCreateError', { message }))
  return (
    <Button tone="outline" icon="bolt" busy={busy} onClick={start}>
      {t('origin.runPrompt')}
    </Button>
  )
}
