import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { AdminOnly } from '@/features/workflows'
import type { Person } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { withParams } from '@/shared/lib/with-params'
import { Avatar } from '@/shared/ui/avatar'
import { Chip } from '@/shared/ui/chip'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { peopleQuery } from '../api'
import { PersonDetailCard } from '../components/person-detail'
import styles from './people-page.module.css'

/** Where admins find people, and what they are to know of them. */
export default function PeoplePage() {
  return (
    <AdminOnly>
      <People />
    </AdminOnly>
  )
}

function People() {
  const { t } = useTranslation('people')
  const [params, setParams] = useSearchParams()
  const open = params.get('user') ?? undefined
  const keyword = params.get('keyword') ?? ''
  const to = (user?: string, words = keyword) => withParams(params, { keyword: words, user })
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div className={classNames(styles.panes, open && styles.open)}>
        <section className={styles.list} aria-label={t('list')}>
          <SearchForm
            label={t('search')}
            value={keyword}
            maxLength={254}
            onSearch={(words) => setParams(to(undefined, words), { replace: true, preventScrollReset: true })}
          />
          <Found keyword={keyword} open={open} link={(id) => `?${to(id)}`} />
        </section>
        {open && (
          <section className={styles.detail} aria-label={t('person')}>
            <PersonDetailCard key={open} id={open} onBack={() => setParams(to(), { preventScrollReset: true })} />
          </section>
        )}
      </div>
    </Page>
  )
}

type FoundProps = { keyword: string; open: string | undefined; link: (id: string) => string }

function Found({ keyword, open, link }: FoundProps) {
  const { t } = useTranslation('people')
  const list = useInfiniteQuery(peopleQuery(keyword))
  if (list.isPending) {
    return (
      <div className={styles.rows} aria-busy="true">
        {['a', 'b', 'c', 'd', 'e'].map((key) => (
          <Skeleton key={key} style={{ height: 64, borderRadius: 12 }} />
        ))}
      </div>
    )
  }
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (list.data.length === 0) return <EmptyState icon="people" title={t('empty')} text={t('emptyText')} />
  return (
    <>
      <ul className={styles.rows}>
        {list.data.map((person) => (
          <li key={person._id}>
            <Row person={person} to={link(person._id)} current={person._id === open} />
          </li>
        ))}
      </ul>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}

function Row({ person, to, current }: { person: Person; to: string; current: boolean }) {
  const { t } = useTranslation('people')
  return (
    <Link className={styles.row} to={to} aria-current={current ? 'true' : undefined} preventScrollReset>
      <Avatar name={person.name} url={person.profile?.thumbnailUrl} size={36} />
      <span className={styles.words}>
        <span className={styles.name}>
          {person.name} <span className={styles.quiet}>{person.nameTag}</span>
        </span>
        <span className={styles.quiet}>{person.email}</span>
      </span>
      {person.roles.includes('Admin') && <Chip tone="live">{t('admin')}</Chip>}
      {person.ban && <Chip tone="bad">{t('banned')}</Chip>}
      <span className={styles.plan}>{person.plan}</span>
    </Link>
  )
}
