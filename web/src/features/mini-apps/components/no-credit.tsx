import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import styles from '../pages/mini-app-page.module.css'

/** Shown when the last run was refused for lack of credits. */
export default function NoCredit({ onLater }: { onLater: () => void }) {
  const { t } = useTranslation('miniApps')
  return (
    <div className={styles.credit} role="alert">
      <h3>{t('noCredit.title')}</h3>
      <p>{t('noCredit.text')}</p>
      <div className={styles.creditActions}>
        <ButtonLink tone="primary" to={paths.pricing()}>
          {t('noCredit.plans')}
        </ButtonLink>
        <ButtonLink to={paths.account('credits')}>{t('noCredit.action')}</ButtonLink>
        <Button tone="ghost" onClick={onLater}>
          {t('noCredit.later')}
        </Button>
      </div>
    </div>
  )
}
