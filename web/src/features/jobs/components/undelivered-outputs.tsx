import { useTranslation } from 'react-i18next'
import type { JobOutput } from '@/shared/api/types'
import { useTranslated } from '@/shared/lib/translated'
import styles from './job-display.module.css'

export default function UndeliveredOutputs({ outputs }: { outputs: JobOutput[] }) {
  const { t } = useTranslation('files')
  const translated = useTranslated()
  const notes = outputs
    .map(translated)
    .flatMap((output) => (output.undelivered ?? []).map((note) => ({ ...note, node: output.name ?? note.nodeId })))
  if (notes.length === 0) return null
  return (
    <div className={styles.leftOut} role="note">
      <p>{t('undelivered.title', { count: notes.reduce((sum, note) => sum + note.count, 0) })}</p>
      <ul>
        {notes.map((note, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files of a node may have one name.
          <li key={index}>
            {note.name ? t('undelivered.item', note) : t('undelivered.more', { count: note.count, node: note.node })}
            <span className={styles.leftOutError}>{t(`undelivered.code.${note.code}`, note.message)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
