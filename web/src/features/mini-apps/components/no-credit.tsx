import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { Button, ButtonLink } from '@/shared/ui/button'
import styles from '../pages/mini-app-page.module.css'

type NoCreditProps = { onLater: () => void }

/** Shown at the form whose last run was refused for lack of credits. */
export default function NoCredit({ onLater }: NoCreditProps) {
  const { t } = useTranslation('miniApps')
  return (
    <div className={styles.credit} role="alert">
      <h3>{t('noCredit.title')}</h3>
      <NoCreditChoice onLater={onLater} />
    </div>
  )
}

/** What a user without credits can do. Both choices dismiss the prompt. */
export function NoCreditChoice({ onLater }: NoCreditProps) {
  const { t } = useTranslation('miniApps')
  return (
    <div className={styles.creditChoice}>
      <p>{t('noCredit.text')}</p>
      <div className={styles.creditActions}>
        <ButtonLink tone="primary" to={paths.pricing()} onClick={onLater}>
          {t('noCredit.plans')}
        </ButtonLink>
        <Button tone="ghost" onClick={onLater}>
          {t('noCredit.later')}
        </Button>
      </div>
    </div>
  )
}
