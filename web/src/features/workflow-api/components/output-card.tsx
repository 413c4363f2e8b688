import { useTranslation } from 'react-i18next'
import { TextField } from '@/shared/ui/field'
import { useEditor } from '../editor-context'
import { changeOutput, duplicateNames, MAX_FIELD_NAME, MAX_WORD, removeOutput, withWords } from '../model'
import type { OutputEntry } from '../types'
import styles from './adapter-fields.module.css'
import { type CardProps, EntryCard } from './entry-card'

export function OutputCard({ entryKey, ...card }: CardProps) {
  const { t } = useTranslation('workflowApi')
  const { editor, setup, change, refused } = useEditor()
  const entry = setup.outputs[entryKey]
  if (!entry) return null
  const node = editor.nodes.find(({ id }) => id === entry.id)
  const place = `outputs.${entryKey}`
  const set = (next: Partial<OutputEntry>) => change((now) => changeOutput(now, entryKey, next))
  const korean = entry.translations?.ko
  const isTwice = duplicateNames(setup).outputs.includes(entry.apiFieldName.trim())
  const setKorean = (name: string) => {
    const translations = withWords(entry, 'ko', { name: name || undefined } as { name?: string })
    change((now) => {
      const { translations: _, ...rest } = now.outputs[entryKey] ?? entry
      const next = translations ? { ...rest, translations } : rest
      return { ...now, outputs: { ...now.outputs, [entryKey]: next } }
    })
  }
  return (
    <EntryCard
      {...card}
      place={place}
      node={entry.id}
      number={entry.order}
      title={entry.name || entry.id}
      origin={`#${entry.id} ${node?.display_name ?? ''}`}
      onRemove={() => change((now) => removeOutput(now, entryKey))}
    >
      <div className={styles.pair}>
        <TextField
          label={t('fields.outputName')}
          value={entry.name}
          maxLength={MAX_WORD}
          error={refused[place]?.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <TextField
          label={t('fields.apiFieldName')}
          value={entry.apiFieldName}
          maxLength={MAX_FIELD_NAME}
          error={isTwice ? t('fields.twice') : refused[place]?.apiFieldName}
          onChange={(event) => set({ apiFieldName: event.target.value })}
        />
      </div>
      <TextField
        label={t('fields.nameKo')}
        value={korean?.name ?? ''}
        maxLength={MAX_WORD}
        onChange={(event) => setKorean(event.target.value)}
      />
    </EntryCard>
  )
}
