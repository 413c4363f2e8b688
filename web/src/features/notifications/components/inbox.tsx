import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { countsQuery } from '../api/counts'
import { inboxQuery, useMarkSeen } from '../api/inbox'
import { countOf, type Filter } from '../model'
import styles from './inbox.module.css'
import { NotificationRow, RowsLoading } from './notification-row'
import { TypeFilter } from './type-filter'

/**
 * The newest notifications, by type, with a link to the history. `onGo` closes the layer; `titled` shows the heading.
 */
export function Inbox({ onGo, titled }: { onGo: () => void; titled?: boolean }) {
  const { t } = useTranslation('notifications')
  const [filter, setFilter] = useState<Filter>('ALL')
  const box = useQuery(inboxQuery(filter))
  const counts = useQuery(countsQuery()).data
  const check = useMarkSeen()
  const client = useQueryClient()
  const { dataUpdatedAt } = box
  useEffect(() => {
    // The badge counts what is listed here, without retracted notifications.
    if (dataUpdatedAt > 0) void client.invalidateQueries({ queryKey: countsQuery().queryKey })
  }, [client, dataUpdatedAt])
  const unread = countOf(counts, filter)
  return (
    <div className={styles.box}>
      <div className={styles.head}>
        <h2 className={titled ? styles.title : 'visually-hidden'}>{t('title')}</h2>
        <Button
          tone="ghost"
          size="small"
          icon="check"
          disabled={unread === 0}
          onClick={() => check.mutate({ type: filter })}
        >
          {t('checkAll')}
        </Button>
      </div>
      <TypeFilter value={filter} counts={counts} onChange={setFilter} />
      <div className={styles.list} aria-busy={box.isPending}>
        {box.isPending && <RowsLoading />}
        {box.isError && !box.data && <ErrorState error={box.error} onRetry={() => void box.refetch()} />}
        {box.data?.length === 0 && <EmptyState icon="bell" title={t('empty')} text={t('emptyText')} />}
        {box.data && box.data.length > 0 && (
          <ul>
            {box.data.map((notification) => (
              <NotificationRow key={notification._id} notification={notification} onGo={onGo} />
            ))}
          </ul>
        )}
      </div>
      <div className={styles.foot}>
        <Link to={paths.notifications(filter)} onClick={onGo}>
          {t('seeAll')}
        </Link>
        <Link to={paths.alerts()} onClick={onGo}>
          {t('alerts.title')}
        </Link>
      </div>
    </div>
  )
}
