import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { save } from '@/shared/lib/download'
import { useForm } from '@/shared/lib/use-form'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { exportName } from '../model'
import styles from './dialogs.module.css'

/** Asks for the file name and saves the file. */
export default function ExportForm({ name, text, onClose }: { name: string; text: string; onClose: () => void }) {
  const { t } = useTranslation('nodeEditor')
  const id = useId()
  const [appends, setAppends] = useState(true)
  const form = useForm({
    start: { name },
    check: (values) => ({ name: values.name.trim() ? undefined : t('export.missing') }),
    send: (values) => {
      save(new Blob([text], { type: 'application/json' }), exportName(values.name, appends))
      onClose()
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextField label={t('export.name')} {...form.field('name')} />
      <label className={styles.check} htmlFor={id}>
        <input id={id} type="checkbox" checked={appends} onChange={({ target }) => setAppends(target.checked)} />
        {t('export.append')}
      </label>
      <FormActions onCancel={onClose}>{t('export.action')}</FormActions>
    </form>
  )
}
