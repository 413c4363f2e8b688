import { useTranslation } from 'react-i18next'
import { Button } from '@/shared/ui/button'
import styles from '@/shared/ui/page-error.module.css'

/** What stands in place of everything where even the frame around the pages broke. It needs no router. */
export function LastScreen() {
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
