import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { WorkflowTagUse } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { useForm } from '@/shared/lib/use-form'
import { FieldError, TextField } from '@/shared/ui/field'
import { FormActions } from '@/shared/ui/form-actions'
import { SelectField } from '@/shared/ui/select'
import { type TagWords, useCreateTag, useUpdateTag } from '../api'
import { MAX_TAG_NAME } from '../model'
import styles from './forms.module.css'

type TagFormProps = {
  /** The tag to edit; undefined for a new one. */
  tag?: WorkflowTagUse | undefined
  parent: string | null
  roots: WorkflowTagUse[]
  hasChildren: boolean
  nameOf: (tag: WorkflowTagUse) => string
  onDone: (words: TagWords) => void
  onCancel: () => void
}

export function TagForm({ tag, parent, roots, hasChildren, nameOf, onDone, onCancel }: TagFormProps) {
  const { t } = useTranslation('curation')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const create = useCreateTag()
  const update = useUpdateTag()
  const form = useForm<TagWords>({
    start: { name: tag?.name ?? '', nameKo: tag?.nameKo ?? '', parentTag: parent },
    error: create.error ?? update.error,
    refused: (error) => ({
      name: isApiError(error) && error.code === 'TAG_NAME_TAKEN' ? t('form.taken') : undefined,
    }),
    send: ({ name, nameKo, parentTag }) => {
      const words = { name: name.trim(), nameKo: nameKo.trim(), parentTag }
      const after = { onSuccess: () => onDone(words) }
      if (tag) update.mutate({ id: tag._id, ...words }, after)
      else create.mutate(words, after)
    },
  })
  return (
    <form {...form.form} className={styles.form}>
      <TextField label={t('form.name')} lang="en" maxLength={MAX_TAG_NAME} {...form.field('name')} />
      <TextField label={t('form.nameKo')} lang="ko" maxLength={MAX_TAG_NAME} {...form.field('nameKo')} />
      <SelectField
        label={t('form.group')}
        help={hasChildren ? t('form.hasChildren') : undefined}
        value={form.values.parentTag ?? ''}
        disabled={hasChildren}
        onChange={(event) => form.set({ parentTag: event.target.value || null })}
      >
        <option value="">{t('form.noGroup')}</option>
        {roots
          .filter((root) => root._id !== tag?._id)
          .map((root) => (
            <option key={root._id} value={root._id}>
              {nameOf(root)}
            </option>
          ))}
      </SelectField>
      {form.refusal !== null && <FieldError>{text(form.refusal)}</FieldError>}
      <FormActions
        onCancel={onCancel}
        busy={create.isPending || update.isPending}
        disabled={!form.values.name.trim() || !form.values.nameKo.trim()}
      >
        {common('save')}
      </FormActions>
    </form>
  )
}
