import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RequestedRequirement } from '@/shared/api/types'
import { formatRelative } from '@/shared/lib/format'
import { Button } from '@/shared/ui/button'
import { Chip } from '@/shared/ui/chip'
import { useConfirm } from '@/shared/ui/dialog'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { toast } from '@/shared/ui/toast'
import { requestedQuery, useCloseRequests } from '../api'
import styles from './worker-list.module.css'

/** The nodes and models that users have asked for, with the number of users. */
export function RequestedList() {
  const { t } = useTranslation('fleet')
  const requested = useQuery(requestedQuery())
  return (
    <section className={styles.workers} aria-labelledby="requested">
      <h2 id="requested">{t('requests.title')}</h2>
      <p className={styles.facts}>{t('requests.lead')}</p>
      {requested.isPending && <Skeleton style={{ height: 56 }} />}
      {requested.isError && <ErrorState error={requested.error} onRetry={() => void requested.refetch()} />}
      {requested.data?.length === 0 && <p className={styles.facts}>{t('requests.none')}</p>}
      <ul>
        {requested.data?.map((one) => (
          <Line key={one._id} requested={one} />
        ))}
      </ul>
    </section>
  )
}

function Line({ requested }: { requested: RequestedRequirement }) {
  const { t, i18n } = useTranslation('fleet')
  const confirm = useConfirm()
  const close = useCloseRequests()
  const { _id, kind, folder, name, requests, lastAt, pools } = requested
  const facts = [
    folder && t('requests.folder', { folder }),
    t('requests.users', { count: requests }),
    t('requests.last', { when: formatRelative(lastAt, i18n.language) }),
    pools.length > 0 && t('requests.pools', { pools: pools.join(', ') }),
  ]
  const ask = async () => {
    const yes = await confirm({
      title: t('requests.closeTitle', { name }),
      text: t('requests.closeText', { count: requests }),
      action: t('requests.close'),
      danger: true,
    })
    if (!yes) return
    close.mutate(_id, {
      onSuccess: () => toast.success(t('requests.closed', { name })),
      onError: (error) => toast.error(t('requests.closeFailed', { name }), error),
    })
  }
  return (
    <li>
      <div className={styles.what}>
        <p className={styles.name}>
          <span className={styles.classes}>{name}</span> <Chip>{t(`requests.kinds.${kind}`)}</Chip>
        </p>
        <p className={styles.facts}>{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <Button
        size="small"
        tone="outline"
        busy={close.isPending}
        aria-label={t('requests.closeNamed', { name })}
        onClick={() => void ask()}
      >
        {t('requests.close')}
      </Button>
    </li>
  )
}
