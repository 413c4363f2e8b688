import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { ButtonLink } from '@/shared/ui/button'
import styles from '@/shared/ui/page-error.module.css'

/** Shown for unknown addresses, and for addresses that the user may not see. */
export default function NotFoundPage() {
  const { t } = useTranslation()
  useTitle(t('errors.notFoundTitle'))
  return (
    <div className={styles.screen}>
      <p className={styles.status}>{'404'}</p>
      <h1 className={styles.title}>{t('errors.notFoundTitle')}</h1>
      <p className={styles.text}>{t('errors.notFoundText')}</p>
      <div className={styles.actions}>
        <ButtonLink tone="primary" to={paths.home()}>
          {t('errors.goHome')}
        </ButtonLink>
      </div>
    </div>
  )
}
