import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Person } from '@/shared/api/types'
import { useUrlParams } from '@/shared/lib/url-params'
import { Avatar } from '@/shared/ui/avatar'
import { Chip } from '@/shared/ui/chip'
import { DetailPanes } from '@/shared/ui/detail-panes'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState } from '@/shared/ui/states'
import { peopleQuery } from '../api'
import { PersonDetailCard } from '../components/person-detail'
import { PEOPLE } from '../model'
import styles from './people-page.module.css'

export default function PeoplePage() {
  const { t } = useTranslation('people')
  const [{ keyword, user }, { replace, push, link }] = useUrlParams(PEOPLE)
  const list = useInfiniteQuery(peopleQuery(keyword))
  const found = (
    <>
      <SearchForm
        label={t('search')}
        value={keyword}
        maxLength={254}
        asTyped
        onSearch={(words) => replace({ keyword: words })}
      />
      <QueryRows
        list={list}
        skeleton={{ height: 64 }}
        empty={<EmptyState icon="people" title={t('empty')} text={t('emptyText')} />}
      >
        {(person) => <Row person={person} to={link({ user: person._id })} current={person._id === user} />}
      </QueryRows>
    </>
  )
  const card = user && <PersonDetailCard key={user} id={user} onBack={() => push({ user: '' })} />
  return (
    <Page title={t('title')} lead={t('lead')}>
      <DetailPanes
        list={{ label: t('list'), children: found }}
        detail={user && { label: t('person'), children: card }}
      />
    </Page>
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
