import { useTranslation } from 'react-i18next'
import styles from './spinner.module.css'

/** The specification's sizes: 50 for a page, 32 for a part. */
export function Spinner({ size = 32 }: { size?: number }) {
  return <span className={styles.spinner} style={{ width: size, height: size }} aria-hidden="true" />
}

/** Fills the page while it loads. The default text is "Loading...". */
export function PageSpinner({ text }: { text?: string | undefined }) {
  const { t } = useTranslation()
  return (
    <div className={styles.page} role="status">
      <Spinner size={50} />
      <span className={styles.text}>{text ?? t('loading')}</span>
    </div>
  )
}
