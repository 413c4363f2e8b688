import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Worker } from '@/shared/api/types'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { useToast } from '@/shared/ui/toast'
import { useLookAgain, workersQuery } from '../api'
import { AgentFacts } from './agent-facts'
import styles from './worker-list.module.css'

const STATES = ['Connecting', 'Idle', 'Busy', 'Draining', 'Paused', 'Gone'] as const

/** The servers that run jobs, and a button that asks one for its models at once. */
export function WorkerList() {
  const { t } = useTranslation('workers')
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
  const { t } = useTranslation('workers')
  const toast = useToast()
  const { mutateAsync } = useLookAgain()
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
