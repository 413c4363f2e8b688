import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button, ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { SoldFilterFields } from '../components/sold-filter-fields'
import { SoldTable } from '../components/sold-table'
import { soldOrdersFileUrl, soldOrdersQuery } from '../sold-api'
import { hasFilters, isReversed, NO_FILTERS, SOLD, type SoldFilters } from '../sold-model'

/** The orders of all users, with their refunds. */
export default function AdminOrdersPage() {
  const { t } = useTranslation('orders')
  const [filters, { replace }] = useUrlParams(SOLD)
  const file = (
    <ButtonLink to={soldOrdersFileUrl(filters)} reloadDocument download tone="outline" icon="download">
      {t('sold.file')}
    </ButtonLink>
  )
  return (
    <Page title={t('sold.title')} lead={t('sold.lead')} {...(!isReversed(filters) && { actions: file })}>
      <SoldFilterFields filters={filters} onChange={replace} />
      {!isReversed(filters) && <Orders filters={filters} onClear={() => replace(NO_FILTERS)} />}
    </Page>
  )
}

function Orders({ filters, onClear }: { filters: SoldFilters; onClear: () => void }) {
  const { t } = useTranslation('orders')
  const list = useInfiniteQuery(soldOrdersQuery(filters))
  const empty = hasFilters(filters) ? (
    <EmptyState
      icon="search"
      title={t('sold.noMatch')}
      action={<Button onClick={onClear}>{t('sold.showAll')}</Button>}
    />
  ) : (
    <EmptyState icon="log" title={t('sold.empty')} text={t('sold.emptyText')} />
  )
  return (
    <QueryList list={list} skeleton={{ height: 64, count: 6 }} empty={empty}>
      {(orders) => <SoldTable orders={orders} />}
    </QueryList>
  )
}
