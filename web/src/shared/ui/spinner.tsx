import { useTranslation } from 'react-i18next'
import styles from './spinner.module.css'

/** Sizes of the specification: 50 for a page, 32 for a part of it. */
export function Spinner({ size = 32 }: { size?: number }) {
  return <span className={styles.spinner} style={{ width: size, height: size }} aria-hidden="true" />
}

/** Fills the place of a page that is on its way; says "Loading..." unless it is told something better. */
export function PageSpinner({ text }: { text?: string | undefined }) {
  const { t } = useTranslation()
  return (
    <div className={styles.page} role="status">
      <Spinner size={50} />
      <span className={styles.text}>{text ?? t('loading')}</span>
    </div>
  )
}
