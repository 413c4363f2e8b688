import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PersonLine } from '@/features/moderation'
import type { Sighting } from '@/shared/api/types'
import { browserOf } from '@/shared/lib/browser-of'
import { formatMoment } from '@/shared/lib/format'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useUrlParams } from '@/shared/lib/url-params'
import { type Column, DataTable } from '@/shared/ui/data-table'
import { Page } from '@/shared/ui/page'
import { QueryList } from '@/shared/ui/query-list'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState } from '@/shared/ui/states'
import { sightingsQuery } from '../api'
import { ADDRESSES } from '../model'
import styles from './addresses-page.module.css'

/** The IP addresses of all sessions. Several accounts at one address are grouped. */
export default function AddressesPage() {
  const { t } = useTranslation('people')
  const [{ address }, { replace }] = useUrlParams(ADDRESSES)
  const list = useInfiniteQuery(sightingsQuery(address))
  const columns = useColumns()
  return (
    <Page title={t('addresses.title')} lead={t('addresses.lead')}>
      <div className={styles.bar}>
        <SearchForm
          label={t('addresses.search')}
          value={address}
          maxLength={64}
          onSearch={(words) => replace({ address: words })}
        />
      </div>
      <QueryList
        list={list}
        skeleton={{ height: 48, count: 6 }}
        empty={<EmptyState icon="globe" title={t('addresses.empty')} />}
      >
        {(rows) => <DataTable name="addresses" caption={t('addresses.title')} rows={rows} columns={columns} />}
      </QueryList>
    </Page>
  )
}

function useColumns(): Column<Sighting>[] {
  const { t, i18n } = useTranslation('people')
  const nameOf = usePersonName()
  const browser = ({ userAgent }: Sighting) => {
    const known = browserOf(userAgent)
    return [known.browser, known.system].filter(Boolean).join(' · ') || userAgent || t('none')
  }
  const moment = (key: 'createdAt' | 'lastSeenAt', title: string): Column<Sighting> => ({
    key,
    title,
    cell: (one) => <time dateTime={one[key]}>{formatMoment(one[key], i18n.language)}</time>,
    text: (one) => one[key],
    sort: (a, b) => a[key].localeCompare(b[key]),
  })
  return [
    {
      key: 'address',
      title: t('addresses.address'),
      main: true,
      text: (one) => one.address ?? '',
      sort: (a, b) => (a.address ?? '').localeCompare(b.address ?? '', 'en', { numeric: true }),
      cell: ({ address }) =>
        address ? (
          <Link className={styles.address} to={paths.admin.addresses(address)}>
            {address}
          </Link>
        ) : (
          t('none')
        ),
    },
    {
      key: 'person',
      title: t('person'),
      text: (one) => nameOf(one.user),
      sort: (a, b) => nameOf(a.user).localeCompare(nameOf(b.user), i18n.language),
      cell: (one) => <PersonLine person={one.user} to={paths.admin.people} />,
    },
    {
      key: 'browser',
      title: t('addresses.browser'),
      text: browser,
      cell: (one) => <span title={one.userAgent ?? undefined}>{browser(one)}</span>,
    },
    moment('createdAt', t('addresses.began')),
    moment('lastSeenAt', t('addresses.lastSeen')),
  ]
}
