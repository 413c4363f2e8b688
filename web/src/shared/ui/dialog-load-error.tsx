import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog'
import { type LoadErrorProps, PartLoadError } from './load-error'

/** Shown when the code of a dialog failed to load. */
export function DialogLoadError({ part, ...lost }: LoadErrorProps<{ onClose: () => void }>) {
  const { t } = useTranslation()
  return (
    <Dialog open onClose={part.onClose} title={t('errors.dialogNotLoaded')}>
      <PartLoadError {...lost} />
    </Dialog>
  )
}
