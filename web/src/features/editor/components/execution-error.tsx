import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import type { Modals } from '@/shared/ui/modals'
import styles from './dialogs.module.css'

/** Why a run failed, and the node that failed. */
export default function ExecutionError({
  message,
  details,
  node,
  onShow,
  onClose,
}: Modals['executionError'] & { onClose: () => void }) {
  const { t } = useTranslation('nodeEditor')
  return (
    <div className={styles.failed}>
      {node && <p>{t('failed.node', { node })}</p>}
      <p className={styles.message} role="alert">
        {message}
      </p>
      {details && (
        <details>
          <summary>{t('failed.details')}</summary>
          <pre>{details}</pre>
          <CopyButton text={details} label={t('failed.copy')} />
        </details>
      )}
      <div className={styles.actions}>
        {onShow && (
          <Button
            tone="primary"
            onClick={() => {
              onShow()
              onClose()
            }}
          >
            {t('failed.show')}
          </Button>
        )}
        <Button tone="ghost" onClick={onClose}>
          {t('failed.close')}
        </Button>
      </div>
    </div>
  )
}
