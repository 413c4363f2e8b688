import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useGuest } from '@/features/auth'
import { paths } from '@/shared/lib/paths'
import styles from './shell.module.css'

/** Below every page: the texts that hold for it. */
export function Footer() {
  const { t } = useTranslation()
  const guest = useGuest()
  return (
    <footer className={styles.footer}>
      <span>{t('brand')}</span>
      <nav aria-label={t('footer.label')}>
        <ul>
          {guest && (
            <li>
              <Link to={paths.intro()}>{t('footer.intro')}</Link>
            </li>
          )}
          <li>
            <Link to={paths.terms()}>{t('footer.terms')}</Link>
          </li>
          <li>
            <Link to={paths.privacy()}>{t('footer.privacy')}</Link>
          </li>
        </ul>
      </nav>
    </footer>
  )
}
