import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { calendarQuery, subscribersQuery } from '../calendar-api'
import {
  CALENDAR,
  dayName,
  hasSubscriberFilters,
  monthName,
  monthPlus,
  NO_SUBSCRIBER_FILTERS,
  type SubscriberFilters,
  thisMonth,
} from '../calendar-model'
import styles from '../components/calendar.module.css'
import { ChargeCalendar } from '../components/charge-calendar'
import { SubscriberFilterFields } from '../components/subscriber-filter-fields'
import { SubscriberTable } from '../components/subscriber-table'

/** What is charged on the days of a month, and the subscriptions behind it. */
export default function AdminSubscriptionsPage() {
  const { t, i18n } = useTranslation('subscription')
  const [{ month: chosen, ...filters }, { replace, link }] = useUrlParams(CALENDAR)
  const month = chosen || thisMonth()
  const calendar = useQuery(calendarQuery(month))
  const toMonth = (step: number) => link({ month: monthPlus(month, step), day: '' })
  return (
    <Page title={t('calendar.title')} lead={t('calendar.lead')}>
      <nav className={styles.months} aria-label={t('calendar.months')}>
        <ButtonLink to={toMonth(-1)} icon="left" aria-label={t('calendar.previous')} preventScrollReset />
        <h2 id="month" aria-live="polite">
          {monthName(month, i18n.language)}
        </h2>
        <ButtonLink to={toMonth(1)} icon="right" aria-label={t('calendar.next')} preventScrollReset />
      </nav>
      {calendar.data ? (
        <ChargeCalendar days={calendar.data.days} chosen={filters.day} linkTo={(day) => link({ day })} />
      ) : calendar.isError ? (
        <ErrorState error={calendar.error} onRetry={() => void calendar.refetch()} />
      ) : (
        <Skeleton style={{ height: 420, borderRadius: 12 }} />
      )}
      <section className={styles.list} aria-labelledby="subscribers">
        <div className={styles.head}>
          <h2 id="subscribers">
            {filters.day ? t('subscribers.on', { day: dayName(filters.day, i18n.language) }) : t('subscribers.title')}
          </h2>
          {filters.day && <Button onClick={() => replace({ day: '' })}>{t('subscribers.allDays')}</Button>}
        </div>
        <SubscriberFilterFields filters={filters} onChange={replace} />
        <Subscribers filters={filters} onClear={() => replace(NO_SUBSCRIBER_FILTERS)} />
      </section>
    </Page>
  )
}

function Subscribers({ filters, onClear }: { filters: SubscriberFilters; onClear: () => void }) {
  const { t } = useTranslation('subscription')
  const list = useInfiniteQuery(subscribersQuery(filters))
  const empty = hasSubscriberFilters(filters) ? (
    <EmptyState
      icon="search"
      title={t('subscribers.noMatch')}
      action={<Button onClick={onClear}>{t('subscribers.showAll')}</Button>}
    />
  ) : (
    <EmptyState icon="star" title={t('subscribers.empty')} text={t('subscribers.emptyText')} />
  )
  return (
    <QueryList list={list} skeleton={{ height: 64, count: 4 }} empty={empty}>
      {(rows) => <SubscriberTable rows={rows} />}
    </QueryList>
  )
}
