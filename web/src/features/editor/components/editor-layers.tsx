import { useTranslation } from 'react-i18next'
import { Dialog } from '@/shared/ui/dialog'
import { closeModal, useModal } from '@/shared/ui/modals'
import ExecutionError from './execution-error'
import ExportForm from './export-form'

/** The editor's layers that open by their id: a failed run, and the two exports. */
export default function EditorLayers() {
  return (
    <>
      <ExecutionErrorLayer />
      <ExportLayer id="exportWorkflow" />
      <ExportLayer id="exportWorkflowApi" />
    </>
  )
}

function ExecutionErrorLayer() {
  const { t } = useTranslation('nodeEditor')
  const modal = useModal('executionError')
  const close = () => closeModal('executionError')
  return (
    <Dialog open={modal !== undefined} onClose={close} title={t('failed.title')} width={560}>
      {modal && <ExecutionError {...modal} onClose={close} />}
    </Dialog>
  )
}

function ExportLayer({ id }: { id: 'exportWorkflow' | 'exportWorkflowApi' }) {
  const { t } = useTranslation('nodeEditor')
  const modal = useModal(id)
  const close = () => closeModal(id)
  return (
    <Dialog open={modal !== undefined} onClose={close} title={t(`export.${id}`)}>
      {modal && <ExportForm {...modal} onClose={close} />}
    </Dialog>
  )
}
