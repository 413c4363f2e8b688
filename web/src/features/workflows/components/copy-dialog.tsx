import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Workflow } from '@/shared/api/types'
import { normalizeName } from '@/shared/lib/names'
import { paths } from '@/shared/lib/paths'
import { useTranslated } from '@/shared/lib/translated'
import { useForm } from '@/shared/lib/use-form'
import { Dialog } from '@/shared/ui/dialog'
import { TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { toast } from '@/shared/ui/toast'
import { useCopyWorkflow } from '../api'
import { MAX_NAME } from '../model'
import styles from './dialogs.module.css'

/** Asks for the name of a copy. An empty name uses the suggested one. */
export default function CopyDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
  const { t } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const copy = useCopyWorkflow()
  const translated = useTranslated()
  const suggested = normalizeName(t('copy.name', { name: translated(workflow).name }), MAX_NAME)
  const form = useForm({
    start: { name: suggested },
    send: ({ name }) =>
      copy.mutate(
        { workflow: workflow._id, name: normalizeName(name, MAX_NAME) || suggested },
        {
          onSuccess: (made) => {
            toast.success(t('copy.done'))
            onClose()
            void navigate(paths.workflow(made._id))
          },
          onError: (error) => toast.error(t('copy.failed'), error),
        },
      ),
  })
  return (
    <Dialog open onClose={onClose} title={t('copy.title')}>
      <form {...form.form} className={styles.form}>
        <TextField label={t('copy.label')} placeholder={suggested} {...form.field('name')} />
        <FormActions onCancel={onClose} busy={copy.isPending}>
          {common('copy')}
        </FormActions>
      </form>
    </Dialog>
  )
}
