import { useTranslation } from 'react-i18next'
import { useRerun } from '@/features/jobs'
import { Button } from '@/shared/ui/button'

/** Runs one's own prompt again, unchanged and with its files. */
export default function RunPrompt({ job }: { job: string }) {
  const { t } = useTranslation('gallery')
  const { t: apps } = useTranslation('miniApps')
  const { busy, start } = useRerun(job, (message) => apps('jobCreateError', { message }))
  return (
    <Button tone="outline" icon="bolt" busy={busy} onClick={start}>
      {t('origin.runPrompt')}
    </Button>
  )
}
