import { type SyntheticEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { WorkflowTagUse } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { FieldError, fieldClasses } from '@/shared/ui/field'
import { Select } from '@/shared/ui/select'
import { useMergeTags } from '../api'
import { mergeTargets, placeOf } from '../model'
import styles from './forms.module.css'

type MergeFormProps = {
  from: WorkflowTagUse
  tags: WorkflowTagUse[]
  onDone: (into: WorkflowTagUse) => void
  onCancel: () => void
}

/** Chooses the tag that everybody gets in place of another, which is gone then. */
export function MergeForm({ from, tags, onDone, onCancel }: MergeFormProps) {
  const { t, i18n } = useTranslation('curation')
  const { t: common } = useTranslation()
  const text = useProblemText()
  const target = useId()
  const merge = useMergeTags()
  const [into, setInto] = useState('')
  const targets = mergeTargets(tags, from)
  const chosen = targets.find((tag) => tag._id === into)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (chosen) merge.mutate({ id: from._id, into: chosen._id }, { onSuccess: () => onDone(chosen) })
  }
  const said = isApiError(merge.error) && merge.error.code === 'TAG_NAME_TAKEN' ? t('merge.taken') : text(merge.error)
  return (
    <form className={styles.form} onSubmit={submit}>
      <p className={styles.text}>{t('merge.text', { count: from.workflows })}</p>
      <div className={fieldClasses.field}>
        <label className={fieldClasses.label} htmlFor={target}>
          {t('merge.into')}
        </label>
        <Select
          id={target}
          value={into}
          onChange={(event) => {
            setInto(event.target.value)
            merge.reset()
          }}
        >
          <option value="">{t('merge.choose')}</option>
          {targets.map((tag) => (
            <option key={tag._id} value={tag._id}>
              {placeOf(tags, tag, i18n.language)}
            </option>
          ))}
        </Select>
      </div>
      {merge.error && <FieldError>{said}</FieldError>}
      <div className={styles.actions}>
        <Button tone="ghost" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button type="submit" tone="danger" busy={merge.isPending} disabled={!chosen}>
          {t('merge.action')}
        </Button>
      </div>
    </form>
  )
}
