import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { askConnection, useConnectionLost } from '@/shared/api/connection'
import { Icon } from '@/shared/ui/icon'
import { useToast } from '@/shared/ui/toast'
import styles from './shell.module.css'

/** Says that the server cannot be reached, for as long as that is so, with the way to ask it at once. */
export function ConnectionBanner() {
  const { t } = useTranslation()
  const toast = useToast()
  const lost = useConnectionLost()
  const was = useRef(false)
  useEffect(() => {
    if (was.current && !lost) toast.brief(t('backOnline'))
    was.current = lost
  }, [lost, t, toast])
  return (
    <div role="status">
      {lost && (
        <div className={styles.offline}>
          <Icon name="warning" size={18} />
          <p>{t('offline')}</p>
          <button type="button" onClick={() => void askConnection()}>
            {t('retry')}
          </button>
        </div>
      )}
    </div>
  )
}
