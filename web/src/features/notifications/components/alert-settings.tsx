import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { NotificationType } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { Switch } from '@/shared/ui/switch'
import { toast } from '@/shared/ui/toast'
import { alertsQuery, useSetAlerts } from '../api/alerts'
import { TYPES } from '../model'
import styles from './alert-settings.module.css'

/**
 * Chooses which unread types are mailed. Saved on each switch. The layout is fixed before the data arrives, so that
 * nothing below moves.
 */
export default function AlertSettings() {
  const { t } = useTranslation('notifications')
  const id = useId()
  const text = useProblemText()
  const alerts = useQuery(alertsQuery())
  const save = useSetAlerts()
  if (alerts.isError && !alerts.data) return <ErrorState error={alerts.error} onRetry={() => void alerts.refetch()} />
  const chosen = alerts.data
  const set = (type: NotificationType, on: boolean) => {
    const mailedTypes = TYPES.filter((one) => (one === type ? on : chosen?.includes(one)))
    save.mutate(
      { type, mailedTypes },
      { onError: (error) => toast.error(t('alerts.failed', { message: text(error) }), error) },
    )
  }
  return (
    <ul className={styles.list} aria-busy={!chosen}>
      {TYPES.map((type) => (
        <li key={type} className={styles.item}>
          <div>
            <p className={styles.name} id={`${id}-${type}`}>
              {t(`types.${type}`)}
            </p>
            <p className={styles.text} id={`${id}-${type}-text`}>
              {t(`alerts.about.${type}`)}
            </p>
          </div>
          {chosen ? (
            <Switch
              checked={chosen.includes(type)}
              aria-labelledby={`${id}-${type}`}
              aria-describedby={`${id}-${type}-text`}
              onChange={(on) => set(type, on)}
            />
          ) : (
            <Skeleton className={styles.unknown} />
          )}
        </li>
      ))}
    </ul>
  )
}
