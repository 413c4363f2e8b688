import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { PersonLine } from '@/features/moderation'
import { AdminOnly } from '@/features/workflows'
import type { Sighting } from '@/shared/api/types'
import { browserOf } from '@/shared/lib/browser-of'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { withParams } from '@/shared/lib/with-params'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { sightingsQuery } from '../api'
import styles from './addresses-page.module.css'

/** From which addresses of the network people are signed in: several accounts at one address stand together. */
export default function AddressesPage() {
  return (
    <AdminOnly>
      <Addresses />
    </AdminOnly>
  )
}

function Addresses() {
  const { t } = useTranslation('people')
  const [params, setParams] = useSearchParams()
  const address = params.get('address') ?? ''
  const search = (words: string) =>
    setParams(withParams(params, { address: words }), { replace: true, preventScrollReset: true })
  return (
    <Page title={t('addresses.title')} lead={t('addresses.lead')}>
      <div className={styles.bar}>
        <SearchForm label={t('addresses.search')} value={address} maxLength={64} onSearch={search} />
      </div>
      <Sightings address={address} />
    </Page>
  )
}

function Sightings({ address }: { address: string }) {
  const { t } = useTranslation('people')
  const list = useInfiniteQuery(sightingsQuery(address))
  if (list.isPending) {
    return (
      <div className={styles.ghosts} aria-busy="true">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} style={{ height: 48, borderRadius: 8 }} />
        ))}
      </div>
    )
  }
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0) return <EmptyState icon="globe" title={t('addresses.empty')} />
  return (
    <>
      <table className={styles.table}>
        <caption className="visually-hidden">{t('addresses.title')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('addresses.address')}</th>
            <th scope="col">{t('person')}</th>
            <th scope="col">{t('addresses.browser')}</th>
            <th scope="col">{t('addresses.began')}</th>
            <th scope="col">{t('addresses.lastSeen')}</th>
          </tr>
        </thead>
        <tbody>
          {list.data.map((one) => (
            <Row key={one._id} one={one} />
          ))}
        </tbody>
      </table>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}

function Row({ one }: { one: Sighting }) {
  const { t, i18n } = useTranslation('people')
  const { browser, system } = browserOf(one.userAgent)
  const name = [browser, system].filter(Boolean).join(' · ') || one.userAgent
  return (
    <tr>
      <td>
        {one.address ? (
          <Link className={styles.address} to={paths.admin.addresses(one.address)}>
            {one.address}
          </Link>
        ) : (
          t('none')
        )}
      </td>
      <td>
        <PersonLine person={one.user} to={paths.admin.people} />
      </td>
      <td className={styles.browser} title={one.userAgent ?? undefined}>
        {name ?? t('none')}
      </td>
      <td data-label={t('addresses.began')}>
        <time dateTime={one.createdAt}>{formatMoment(one.createdAt, i18n.language)}</time>
      </td>
      <td data-label={t('addresses.lastSeen')}>
        <time dateTime={one.lastSeenAt}>{formatMoment(one.lastSeenAt, i18n.language)}</time>
      </td>
    </tr>
  )
}
