import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { ProgressBar } from '@/shared/ui/progress-bar'
import styles from './upload-progress.module.css'

type UploadProgressProps = { share: number; onCancel: () => void }

/** An upload in progress. */
export function UploadProgress({ share, onCancel }: UploadProgressProps) {
  const { t } = useTranslation('miniApps')
  const words = t('image.uploading', { percent: Math.round(share * 100) })
  return (
    <div className={styles.uploading}>
      <p role="status">
        {words}
        <Button size="small" tone="ghost" onClick={onCancel}>
          {t('image.cancelUpload')}
        </Button>
      </p>
      <ProgressBar share={share} label={words} />
    </div>
  )
}
