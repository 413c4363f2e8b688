import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Worker } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { Dialog } from '@/shared/ui/dialog'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { agentQuery } from '../api'
import styles from './worker-list.module.css'

const size = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`

/** What the agent of a worker says of its machine. */
export function AgentFacts({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const { t } = useTranslation('workers')
  const { data, error, refetch } = useQuery(agentQuery(worker._id))
  const rows: [string, string | undefined | null][] = data
    ? [
        [t('agents.gpu'), data.gpus.map(({ name, vramBytes }) => `${name} (${size(vramBytes)})`).join(', ')],
        [t('agents.driver'), data.driver],
        [t('agents.system'), data.os],
        ['ComfyUI', data.comfyuiVersion],
        [t('agents.agent'), data.agentVersion],
      ]
    : []
  return (
    <Dialog open onClose={onClose} title={t('agents.details', { name: worker.name })} width={560}>
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton style={{ height: 120 }} />}
      {data && (
        <>
          {data.note && <p role="status">{data.note}</p>}
          <dl className={styles.machine}>
            {rows
              .filter(([, value]) => value)
              .map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
          <h3>{t('agents.models')}</h3>
          {data.models.length === 0 && <p className={styles.facts}>{t('agents.noModels')}</p>}
          <ul className={styles.models}>
            {data.models.map(({ name, sizeBytes }) => (
              <li key={name}>
                {name} <span className={styles.facts}>{size(sizeBytes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <div className={styles.actions}>
        <Button onClick={onClose}>{t('agents.close')}</Button>
      </div>
    </Dialog>
  )
}
