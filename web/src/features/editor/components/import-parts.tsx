import type { ChangeEvent, RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { GRAPH_FILES } from '@/shared/lib/graph-files'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import type { FileImport } from '../use-import'
import styles from './editor.module.css'
import { Notice } from './notices'

type ImportFieldProps = { field: RefObject<HTMLInputElement | null>; onFile: (file: File) => void }

/** Chooses a file. The menu opens it. */
export function ImportField({ field, onFile }: ImportFieldProps) {
  const { t } = useTranslation('nodeEditor')
  return (
    <input
      ref={field}
      type="file"
      hidden
      aria-label={t('import.action')}
      accept={GRAPH_FILES}
      onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
        const file = target.files?.[0]
        // Allows choosing the same file again.
        target.value = ''
        if (file) onFile(file)
      }}
    />
  )
}

/** Says where a dragged file can be dropped. */
export function DropHint() {
  const { t } = useTranslation('nodeEditor')
  return (
    <div className={styles.drop}>
      <Icon name="upload" size={28} />
      {t('import.drop')}
    </div>
  )
}

type AppOfferProps = { app: NonNullable<FileImport['app']>; onMake: () => void; onDismiss: () => void }

/** Offers the app that a workflow brings as a mini app. */
export function AppOffer({ app, onMake, onDismiss }: AppOfferProps) {
  const { t } = useTranslation('nodeEditor')
  return (
    <Notice icon="bolt" text={t('import.app', { count: app.inputs })}>
      <Button size="small" tone="outline" onClick={onMake}>
        {t('makeApp')}
      </Button>
      <Button size="small" tone="ghost" onClick={onDismiss}>
        {t('import.later')}
      </Button>
    </Notice>
  )
}
