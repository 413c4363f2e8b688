import { useTranslation } from 'react-i18next'
import { Dialog } from './dialog'
import { type LostProps, PartLost } from './part-lost'

/** A dialog that says that the code of another dialog did not arrive. */
export function DialogLost({ part, ...lost }: LostProps<{ onClose: () => void }>) {
  const { t } = useTranslation()
  return (
    <Dialog open onClose={part.onClose} title={t('errors.dialogNotLoaded')}>
      <PartLost {...lost} />
    </Dialog>
  )
}
