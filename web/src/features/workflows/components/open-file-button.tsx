import { type ChangeEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { GRAPH_FILES } from '@/shared/lib/graph-files'
import { EDITOR_WIDE, useMedia } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { useOpenFile } from '../use-open-file'
import styles from './open-file-button.module.css'

/** Imports a workflow from a file into the node editor, which phones do not have. */
export default function OpenFileButton() {
  const { t } = useTranslation('workflows')
  const open = useOpenFile()
  const wide = useMedia(EDITOR_WIDE)
  const field = useRef<HTMLInputElement>(null)
  if (!wide) return null
  return (
    <div className={styles.actions}>
      <Button tone="outline" icon="upload" onClick={() => field.current?.click()}>
        {t('import.file')}
      </Button>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('import.file')}
        accept={GRAPH_FILES}
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
          const file = target.files?.[0]
          // Allows choosing the same file again.
          target.value = ''
          if (file) open(file)
        }}
      />
    </div>
  )
}
