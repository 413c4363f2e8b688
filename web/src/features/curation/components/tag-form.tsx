import { type SyntheticEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { WorkflowTagUse } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { FieldError, FieldHelp, fieldClasses, TextField } from '@/shared/ui/field'
import { Select } from '@/shared/ui/select'
import { type TagWords, useCreateTag, useUpdateTag } from '../api'
import { MAX_TAG_NAME } from '../model'
import styles from './forms.module.css'

type TagFormProps = {
  /** The tag that is changed; a new one where there is none. */
  tag?: WorkflowTagUse | undefined
  parent: string | null
  roots: WorkflowTagUse[]
  hasChildren: boolean
  nameOf: (tag: WorkflowTagUse) => string
  onDone: (words: TagWords) => void
  onCancel: () => void
}

/** Names in both languages, and the group that the tag stands in. */
export function TagForm({ tag, parent, roots, hasChildren, nameOf, onDone, onCancel }: TagFormProps) {
  const { t } = useTranslation('curation')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const group = useId()
  const create = useCreateTag()
  const update = useUpdateTag()
  const [words, setWords] = useState<TagWords>({ name: tag?.name ?? '', nameKo: tag?.nameKo ?? '', parentTag: parent })
  const error = create.error ?? update.error
  const taken = isApiError(error) && error.code === 'TAG_NAME_TAKEN'
  const set = (change: Partial<TagWords>) => {
    setWords((before) => ({ ...before, ...change }))
    create.reset()
    update.reset()
  }
  const trimmed = { ...words, name: words.name.trim(), nameKo: words.nameKo.trim() }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const after = { onSuccess: () => onDone(trimmed) }
    if (tag) update.mutate({ id: tag._id, ...trimmed }, after)
    else create.mutate(trimmed, after)
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={t('form.name')}
        lang="en"
        maxLength={MAX_TAG_NAME}
        value={words.name}
        error={taken ? t('form.taken') : undefined}
        onChange={(event) => set({ name: event.target.value })}
      />
      <TextField
        label={t('form.nameKo')}
        lang="ko"
        maxLength={MAX_TAG_NAME}
        value={words.nameKo}
        onChange={(event) => set({ nameKo: event.target.value })}
      />
      <div className={fieldClasses.field}>
        <label className={fieldClasses.label} htmlFor={group}>
          {t('form.group')}
        </label>
        <Select
          id={group}
          value={words.parentTag ?? ''}
          disabled={hasChildren}
          onChange={(event) => set({ parentTag: event.target.value || null })}
        >
          <option value="">{t('form.noGroup')}</option>
          {roots
            .filter((root) => root._id !== tag?._id)
            .map((root) => (
              <option key={root._id} value={root._id}>
                {nameOf(root)}
              </option>
            ))}
        </Select>
        {hasChildren && <FieldHelp>{t('form.hasChildren')}</FieldHelp>}
      </div>
      {error && !taken && <FieldError>{text(error)}</FieldError>}
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button
          type="submit"
          tone="primary"
          busy={create.isPending || update.isPending}
          disabled={!trimmed.name || !trimmed.nameKo}
        >
          {common('save')}
        </Button>
      </div>
    </form>
  )
}
