import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import styles from '@/shared/ui/page-error.module.css'

/** Shown when the frame around the pages crashes. It needs no router. */
export function FatalErrorScreen() {
  const { t } = useTranslation()
  return (
    <main className={styles.screen} role="alert">
      <h1 className={styles.title}>{t('errors.title')}</h1>
      <p className={styles.text}>{t('errors.reload')}</p>
      <div className={styles.actions}>
        <Button tone="primary" onClick={() => window.location.reload()}>
          {t('retry')}
        </Button>
      </div>
    </main>
  )
}
