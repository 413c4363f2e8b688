import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '@/shared/lib/paths'
import { Button } from '@/shared/ui/button'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { boxQuery, useCheck } from '../api/box'
import { countsQuery } from '../api/counts'
import { countOf, type Filter } from '../model'
import styles from './box.module.css'
import { NotificationRow, RowsLoading } from './notification-row'
import { TypeFilter } from './type-filter'

/** The newest notifications, by type, with the way to all of them. `onGo` closes what it stands in; `titled` shows the heading. */
export function Box({ onGo, titled }: { onGo: () => void; titled?: boolean }) {
  const { t } = useTranslation('notifications')
  const [filter, setFilter] = useState<Filter>('ALL')
  const box = useQuery(boxQuery(filter))
  const counts = useQuery(countsQuery()).data
  const check = useCheck()
  const client = useQueryClient()
  const { dataUpdatedAt } = box
  useEffect(() => {
    // The badge counts what stands here: what was taken back since is in neither.
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
            {box.data.map((told) => (
              <NotificationRow key={told._id} told={told} onGo={onGo} />
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
