import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '@/shared/api/errors'
import type { Revenue, RevenueRow } from '@/shared/api/types'
import { useUrlParams } from '@/shared/lib/url-params'
import { ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import styles from '../components/revenue.module.css'
import { RevenueChart } from '../components/revenue-chart'
import { RevenueFilterFields } from '../components/revenue-filter-fields'
import { RevenueTable } from '../components/revenue-table'
import { revenueFileUrl, revenueQuery } from '../money-api'
import { formatMoney } from '../orders-model'
import { barsOf, linesOf, REVENUE, type RevenueFilters, rowsOf, totalsOf } from '../revenue-model'
import { isReversed } from '../sold-model'
import { usePeriodName } from '../use-period-name'

/** What was paid and paid back over time. */
export default function AdminRevenuePage() {
  const { t } = useTranslation('revenue')
  const { t: orders } = useTranslation('orders')
  const [filters, { replace }] = useUrlParams(REVENUE)
  const isAsked = !isReversed(filters)
  const found = useQuery({ ...revenueQuery(filters), enabled: isAsked })
  // Refused as the page is: a press would save the refusal.
  const hasFile = isAsked && !isApiError(found.error, 400)
  const file = (
    <ButtonLink to={revenueFileUrl(filters)} reloadDocument download tone="outline" icon="download">
      {orders('sold.file')}
    </ButtonLink>
  )
  return (
    <Page title={t('title')} lead={t('lead')} {...(hasFile && { actions: file })}>
      <RevenueFilterFields filters={filters} onChange={replace} />
      {isAsked && <Loaded found={found} filters={filters} />}
    </Page>
  )
}

function Loaded({ found, filters }: { found: UseQueryResult<Revenue>; filters: RevenueFilters }) {
  const { t } = useTranslation('revenue')
  if (found.data) return <Found revenue={found.data} filters={filters} />
  if (isApiError(found.error, 400)) return <EmptyState icon="clock" title={t('tooMany')} />
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <div className={styles.found} aria-busy="true">
      <Skeleton style={{ height: 110, borderRadius: 12 }} />
      <Skeleton style={{ height: 260, borderRadius: 12 }} />
      <Skeleton style={{ height: 320, borderRadius: 12 }} />
    </div>
  )
}

function Found({ revenue, filters }: { revenue: Revenue; filters: RevenueFilters }) {
  const { t } = useTranslation('revenue')
  const nameOf = usePeriodName(filters.groupBy)
  const rows = rowsOf(revenue, filters.provider)
  if (rows.length === 0) return <EmptyState icon="log" title={t('empty')} text={t('emptyText')} />
  const totals = totalsOf(rows)
  return (
    <div className={styles.found}>
      {rows.some(({ provider }) => provider === 'Test') && <p className={styles.test}>{t('test')}</p>}
      <Totals rows={rows} />
      {totals.map(({ currency }) => (
        <RevenueChart
          key={currency}
          bars={barsOf(revenue.periods, rows, currency)}
          currency={currency}
          nameOf={nameOf}
        />
      ))}
      <RevenueTable lines={linesOf(rows)} nameOf={nameOf} />
    </div>
  )
}

function Totals({ rows }: { rows: RevenueRow[] }) {
  const { t, i18n } = useTranslation('revenue')
  return (
    <section aria-labelledby="revenue-totals">
      <h2 id="revenue-totals" className="visually-hidden">
        {t('totals')}
      </h2>
      <dl className={styles.totals}>
        {totalsOf(rows).map(({ currency, orders, paid, refunded, net }) => {
          const money = (amount: number) => formatMoney(amount, currency, i18n.language)
          const parts = { count: orders, paid: money(paid), refunded: money(refunded) }
          return (
            <div key={currency} className={styles.total}>
              <dt>{t('totalOf', { currency })}</dt>
              <dd className={styles.net}>{money(net)}</dd>
              <dd>{t('totalParts', parts)}</dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
