import { useTranslation } from 'react-i18next'
import { normalizeName } from '@/shared/lib/names'
import { useForm } from '@/shared/lib/use-form'
import { Dialog } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { MAX_NAME } from '../model'
import type { Saving } from '../use-save'
import styles from './dialogs.module.css'

type CopyFormProps = { name: string; own: boolean; saving: Saving; onClose: () => void }

/** Asks for the name of a copy. An empty name uses the suggested one. */
export default function CopyForm({ name, own, saving, onClose }: CopyFormProps) {
  const { t } = useTranslation('nodeEditor')
  const suggested = normalizeName(t('copy.name', { name }), MAX_NAME)
  const form = useForm({
    start: { name: suggested },
    send: (values) =>
      void saving.saveAs(normalizeName(values.name, MAX_NAME) || suggested).then((saved) => {
        if (saved) onClose()
      }),
  })
  return (
    <Dialog open onClose={onClose} title={t('copy.title')}>
      <form {...form.form} className={styles.form}>
        {!own && <p>{t('copy.others')}</p>}
        <TextField label={t('copy.label')} placeholder={suggested} {...form.field('name')} />
        <FormActions onCancel={onClose} busy={saving.busy}>
          {t('copy.action')}
        </FormActions>
      </form>
    </Dialog>
  )
}
