import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { BrandLogo } from '@/shared/ui/brand-logo'
import styles from './shell.module.css'

export function Brand({ folded = false }: { folded?: boolean }) {
  const { t } = useTranslation()
  return (
    <Link className={styles.brand} to={paths.home()} aria-label={t('brand')}>
      <BrandLogo />
      {!folded && <span aria-hidden="true">{t('brand')}</span>}
    </Link>
  )
}
