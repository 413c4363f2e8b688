import { useTranslation } from 'react-i18next'
import { ReportForm } from '@/features/moderation'
import { Dialog } from '@/shared/ui/dialog'
import { closeModal, type Modals } from '@/shared/ui/modals'

/** Reports something of somebody else's to the team. */
export default function ReportLayer({ told }: { told: Modals['report'] | undefined }) {
  const { t } = useTranslation('moderation')
  const close = () => closeModal('report')
  return (
    <Dialog open={told !== undefined} onClose={close} title={t('report.title')} width={520}>
      {told && <ReportForm key={told.id} kind={told.kind} id={told.id} onClose={close} />}
    </Dialog>
  )
}
