import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import styles from './shell.module.css'

/** Two seeds and what grows from them: the sign of Verdigraph. */
export function Brand({ folded = false }: { folded?: boolean }) {
  const { t } = useTranslation()
  return (
    <Link className={styles.brand} to={paths.home()} aria-label={t('brand')}>
      <svg width="28" height="28" viewBox="0 0 32 32" fill="none" aria-hidden="true">
        <path
          d="M8 9.500 16 23 24 9.500"
          stroke="var(--accent)"
          strokeWidth="2.600"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
        <circle cx="8" cy="9.500" r="3.200" fill="var(--accent)" />
        <circle cx="24" cy="9.500" r="3.200" fill="var(--page)" stroke="var(--accent)" strokeWidth="2.200" />
        <circle cx="16" cy="23" r="3.200" fill="var(--accent)" />
      </svg>
      {!folded && <span aria-hidden="true">{t('brand')}</span>}
    </Link>
  )
}
