import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { GuestState, SignedInOnly, VerifyNotice } from '@/features/auth'
import { withParams } from '@/shared/lib/with-params'
import { Button } from '@/shared/ui/button'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { countsQuery } from '../api/counts'
import { historyQuery, useMarkSeen } from '../api/inbox'
import AlertSettings from '../components/alert-settings'
import { NotificationRow, RowsLoading } from '../components/notification-row'
import { TypeFilter } from '../components/type-filter'
import { countOf, type Filter, filterOf } from '../model'
import styles from './history-page.module.css'

export default function HistoryPage() {
  const { t } = useTranslation('notifications')
  return (
    <Page title={t('historyTitle')}>
      <SignedInOnly guest={<GuestState icon="bell" title={t('guestTitle')} text={t('guestText')} />}>
        {(user) => (
          <div className={styles.columns}>
            <History />
            <section className={styles.settings} aria-labelledby="alert-settings">
              <h2 id="alert-settings" className={styles.heading}>
                {t('alerts.title')}
              </h2>
              <p className={styles.lead}>{t('alerts.text')}</p>
              <VerifyNotice user={user} />
              <AlertSettings />
            </section>
          </div>
        )}
      </SignedInOnly>
    </Page>
  )
}

function History() {
  const { t } = useTranslation('notifications')
  const [params, setParams] = useSearchParams()
  const filter = filterOf(params.get('type'))
  const list = useInfiniteQuery(historyQuery(filter))
  const counts = useQuery(countsQuery()).data
  const check = useMarkSeen()
  const choose = (type: Filter) => setParams(withParams(params, { type }), { replace: true, preventScrollReset: true })
  return (
    <section className={styles.history} aria-label={t(`types.${filter}`)}>
      <div className={styles.bar}>
        <TypeFilter value={filter} counts={counts} onChange={choose} />
        <Button
          tone="ghost"
          size="small"
          icon="check"
          disabled={countOf(counts, filter) === 0}
          onClick={() => check.mutate({ type: filter })}
        >
          {t('checkAll')}
        </Button>
      </div>
      {list.isPending && <RowsLoading />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.length === 0 && <EmptyState icon="bell" title={t('empty')} text={t('emptyText')} />}
      {list.data && list.data.length > 0 && (
        <ul className={styles.list}>
          {list.data.map((notification) => (
            <NotificationRow key={notification._id} notification={notification} />
          ))}
        </ul>
      )}
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </section>
  )
}
