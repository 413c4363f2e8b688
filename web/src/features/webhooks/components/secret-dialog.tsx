import { useTranslation } from 'react-i18next'
import { formatMoment } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { CopyButton } from '@/shared/ui/copy-button'
import { Dialog } from '@/shared/ui/dialog'
import styles from './secret-dialog.module.css'

/** `oldUntil` is how long the replaced secret also signs. */
export type ShownSecret = { name: string; secret: string; oldUntil: string | null }

/** Shows the signing secret once, and how to verify deliveries. */
export function SecretDialog({ secret, onClose }: { secret: ShownSecret | null; onClose: () => void }) {
  const { t, i18n } = useTranslation('webhooks')
  return (
    <Dialog open={secret !== null} onClose={onClose} title={t('secret.title')} width={600}>
      {secret && (
        <div className={styles.body}>
          <p>{t('secret.text', { name: secret.name })}</p>
          <code className={styles.secret}>{secret.secret}</code>
          {secret.oldUntil !== null && (
            <p>{t('secret.oldUntil', { when: formatMoment(secret.oldUntil, i18n.language) })}</p>
          )}
          <p className={styles.how}>{t('secret.how')}</p>
          <div className={styles.actions}>
            <CopyButton text={secret.secret} label={t('secret.copy')} size="normal" named={secret.name} />
            <Button tone="primary" onClick={onClose}>
              {t('secret.done')}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  )
}
