import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { WorkflowTagUse } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { SelectField } from '@/shared/ui/select'
import { useMergeTags } from '../api'
import { mergeTargets, tagPath } from '../model'
import styles from './forms.module.css'

type MergeFormProps = {
  from: WorkflowTagUse
  tags: WorkflowTagUse[]
  onDone: (into: WorkflowTagUse) => void
  onCancel: () => void
}

/** Chooses the tag that replaces another one, which is deleted. */
export function MergeForm({ from, tags, onDone, onCancel }: MergeFormProps) {
  const { t, i18n } = useTranslation('curation')
  const text = useProblemText()
  const merge = useMergeTags()
  const targets = mergeTargets(tags, from)
  const form = useForm({
    start: { into: '' },
    error: merge.error,
    send: () => chosen && merge.mutate({ id: from._id, into: chosen._id }, { onSuccess: () => onDone(chosen) }),
  })
  const { refusal, values } = form
  const chosen = targets.find((tag) => tag._id === values.into)
  const message = isApiError(refusal) && refusal.code === 'TAG_NAME_TAKEN' ? t('merge.taken') : text(refusal)
  return (
    <form {...form.form} className={styles.form}>
      <p className={styles.text}>{t('merge.text', { count: from.workflows })}</p>
      <SelectField
        label={t('merge.into')}
        value={values.into}
        onChange={(event) => form.set({ into: event.target.value })}
      >
        <option value="">{t('merge.choose')}</option>
        {targets.map((tag) => (
          <option key={tag._id} value={tag._id}>
            {tagPath(tags, tag, i18n.language)}
          </option>
        ))}
      </SelectField>
      {refusal !== null && <FieldError>{message}</FieldError>}
      <FormActions onCancel={onCancel} tone="danger" busy={merge.isPending} disabled={!chosen}>
        {t('merge.action')}
      </FormActions>
    </form>
  )
}
