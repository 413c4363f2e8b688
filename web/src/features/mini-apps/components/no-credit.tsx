import { useTranslation } from 'react-i18next'
import styles from '../pages/mini-app-page.module.css'
import NoCreditChoice from './no-credit-choice'

/** Shown at the form whose last run was refused for lack of credits. */
export default function NoCredit({ onLater }: { onLater: () => void }) {
  const { t } = useTranslation('miniApps')
  return (
    <div className={styles.credit} role="alert">
      <h3>{t('noCredit.title')}</h3>
      <NoCreditChoice onLater={onLater} />
    </div>
  )
}
