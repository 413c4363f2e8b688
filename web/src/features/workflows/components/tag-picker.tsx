import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FieldError } from '@/shared/ui/field'
import { Icon } from '@/shared/ui/icon'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { workflowTagsQuery } from '../api'
import { MAX_TAGS, rootTags, shortened, tagName } from '../model'
import styles from './tag-picker.module.css'

type TagPickerProps = { value: string[]; onChange: (tags: string[]) => void; problem?: string | undefined }

/** Chooses one to five tags: root tags filter, their children are chosen. */
export function TagPicker({ value, onChange, problem }: TagPickerProps) {
  const { t, i18n } = useTranslation('workflows')
  const tags = useQuery(workflowTagsQuery())
  const [chosenRoot, setRoot] = useState<string>()
  const [full, setFull] = useState(false)
  if (tags.isPending) return <Skeleton style={{ height: 140, borderRadius: 12 }} />
  if (!tags.data) return <ErrorState error={tags.error} onRetry={() => void tags.refetch()} />
  const roots = rootTags(tags.data)
  const root = roots.find((tag) => tag._id === chosenRoot) ?? roots[0]
  const chosen = value.flatMap((id) => tags.data.find((tag) => tag._id === id) ?? [])
  const toggle = (id: string) => {
    if (value.includes(id)) {
      setFull(false)
      onChange(value.filter((known) => known !== id))
    } else if (value.length >= MAX_TAGS) {
      setFull(true)
    } else {
      onChange([...value, id])
    }
  }
  const offered = root ? [root, ...root.childrenTags] : []
  return (
    <div className={styles.picker}>
      {chosen.length > 0 && (
        <ul className={styles.chosen} aria-label={t('edit.chosenTags')}>
          {chosen.map((tag) => {
            const name = tagName(tag, i18n.language)
            return (
              <li key={tag._id}>
                <button
                  type="button"
                  className={styles.taken}
                  aria-label={t('edit.removeTag', { name })}
                  onClick={() => toggle(tag._id)}
                >
                  {shortened(name)}
                  <Icon name="close" size={14} />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <fieldset className={styles.roots} aria-label={t('edit.tagGroups')}>
        {roots.map((tag) => (
          <button
            key={tag._id}
            type="button"
            className={styles.root}
            aria-pressed={tag._id === root?._id}
            onClick={() => setRoot(tag._id)}
          >
            {tagName(tag, i18n.language)}
          </button>
        ))}
      </fieldset>
      <fieldset className={styles.offered} aria-label={root ? tagName(root, i18n.language) : undefined}>
        {offered.map((tag) => (
          <button
            key={tag._id}
            type="button"
            className={styles.tag}
            aria-pressed={value.includes(tag._id)}
            onClick={() => toggle(tag._id)}
          >
            {value.includes(tag._id) && <Icon name="check" size={14} />}
            {shortened(tagName(tag, i18n.language))}
          </button>
        ))}
      </fieldset>
      {(full || problem) && <FieldError>{full ? t('edit.tagsFull') : problem}</FieldError>}
    </div>
  )
}
