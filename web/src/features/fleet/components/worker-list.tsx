import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Worker } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { Dialog } from '@/shared/ui/dialog'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { agentQuery, useRefreshWorker, workersQuery } from '../api'
import styles from './worker-list.module.css'

const STATES = ['Connecting', 'Idle', 'Busy', 'Draining', 'Paused', 'Gone'] as const

export function WorkerList() {
  const { t } = useTranslation('fleet')
  const workers = useQuery(workersQuery())
  return (
    <section className={styles.workers} aria-labelledby="workers">
      <h2 id="workers">{t('title')}</h2>
      {workers.data ? (
        workers.data.length > 0 ? (
          <ul>
            {workers.data.map((worker) => (
              <Line key={worker._id} worker={worker} />
            ))}
          </ul>
        ) : (
          <EmptyState icon="bolt" title={t('none')} text={t('noneText')} />
        )
      ) : workers.isError ? (
        <ErrorState error={workers.error} onRetry={() => void workers.refetch()} />
      ) : (
        <Skeleton style={{ height: 56 }} />
      )}
    </section>
  )
}

function Line({ worker }: { worker: Worker }) {
  const { t } = useTranslation('fleet')
  const { mutateAsync } = useRefreshWorker()
  const [looking, setLooking] = useState(false)
  const [details, setDetails] = useState(false)
  const { _id, name, pool, reason, nodeClasses, differentClasses, version, agent } = worker
  const state = STATES.find((known) => known === worker.state)
  const look = () => {
    setLooking(true)
    mutateAsync(_id)
      .then(
        (found) => toast.success(t('looked', { name }), t('nodes', { count: found.nodeClasses })),
        (error: unknown) => toast.error(t('lookFailed', { name }), error),
      )
      .finally(() => setLooking(false))
  }
  return (
    <li>
      <div className={styles.what}>
        <p className={styles.name}>
          {name} <Chip tone={state === 'Gone' ? 'bad' : 'plain'}>{state ? t(`states.${state}`) : worker.state}</Chip>
          {agent && <Chip tone={agent.connected ? 'plain' : 'bad'}>{t(agent.connected ? 'agent' : 'agentAway')}</Chip>}
        </p>
        <p className={styles.facts}>
          {[t('pool', { pool }), version, t('nodes', { count: nodeClasses }), agent?.note ?? reason]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {differentClasses.length > 0 && (
          <details className={styles.differs}>
            <summary>{t('differs', { count: differentClasses.length })}</summary>
            <p>{t('differsText')}</p>
            <p className={styles.classes}>{differentClasses.join(', ')}</p>
          </details>
        )}
      </div>
      {agent && (
        <Button size="small" tone="outline" onClick={() => setDetails(true)}>
          {t('agents.details', { name })}
        </Button>
      )}
      {details && <AgentFacts worker={worker} onClose={() => setDetails(false)} />}
      <Button size="small" tone="outline" icon="reset" busy={looking} onClick={look}>
        {t('look')}
      </Button>
    </li>
  )
}

const size = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`

function AgentFacts({ worker, onClose }: { worker: Worker; onClose: () => void }) {
  const { t } = useTranslation('fleet')
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
