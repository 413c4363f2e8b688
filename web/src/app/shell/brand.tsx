import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { BrandSign } from '@/shared/ui/brand-sign'
import styles from './shell.module.css'

/** The sign and the name, which lead home. */
export function Brand({ folded = false }: { folded?: boolean }) {
  const { t } = useTranslation()
  return (
    <Link className={styles.brand} to={paths.home()} aria-label={t('brand')}>
      <BrandSign />
      {!folded && <span aria-hidden="true">{t('brand')}</span>}
    </Link>
  )
}
