import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatRelative } from '@/shared/lib/format'
import { Chip } from '@/shared/ui/chip'
import { historyQuery } from '../api'
import { freshUntil } from '../model'
import type { WebhookConfig } from '../types'
import { useIsBefore } from '../use-is-before'
import { useEventWords } from '../use-words'
import styles from './delivery-strip.module.css'

type DeliveryStripProps = {
  config: WebhookConfig
  busy: boolean
  chosen: string | undefined
  onChoose: (attempt: string) => void
}

/** The last deliveries, latest on the right. Refetches while some are pending. */
export function DeliveryStrip({ config, busy, chosen, onChoose }: DeliveryStripProps) {
  const { t, i18n } = useTranslation('webhooks')
  const words = useEventWords()
  const latest = useQuery(historyQuery({ config: config._id, page: 1, search: '' }, busy)).data?.data ?? []
  const fresh = useIsBefore(freshUntil(latest))
  if (latest.length === 0 && !busy) return null
  return (
    <div className={styles.strip}>
      <span className={styles.title}>{t('strip.title')}</span>
      <ol className={styles.bars} aria-label={t('strip.title')}>
        {latest.toReversed().map(({ _id, webhookEventEmbed, status, responseStatus, attemptAt }) => {
          const facts = [
            words.name(webhookEventEmbed.name),
            t(`statuses.${status}`),
            responseStatus,
            formatRelative(attemptAt, i18n.language),
          ]
          const label = facts.filter((fact) => fact !== null).join(', ')
          return (
            <li key={_id}>
              <button
                type="button"
                className={styles.bar}
                data-status={status}
                aria-label={label}
                aria-pressed={_id === chosen}
                title={label}
                onClick={() => onChoose(_id)}
              />
            </li>
          )
        })}
      </ol>
      {(busy || fresh) && <Chip tone="live">{t('strip.live')}</Chip>}
    </div>
  )
}
