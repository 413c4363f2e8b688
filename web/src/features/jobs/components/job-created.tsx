import { useTranslation } from 'react-i18next'
import styles from './job-display.module.css'

/** Says on the page itself that a job was accepted, with its id. */
export function JobCreated({ id }: { id: string }) {
  const { t } = useTranslation('jobs')
  return (
    <p className={styles.created} role="status">
      <span>{t('jobCreated', { id })}</span>
      <span>{t('jobCreatedText')}</span>
    </p>
  )
}
