import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePersonName } from '@/shared/lib/person-name'
import { useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState } from '@/shared/ui/states'
import { allCommentsQuery, personCardQuery } from '../api'
import { CommentEntry } from '../components/comment-entry'
import { COMMENTS } from '../model'
import styles from './comments-page.module.css'

export default function CommentsPage() {
  const { t } = useTranslation('moderation')
  const [filters, { replace }] = useUrlParams(COMMENTS)
  const list = useInfiniteQuery(allCommentsQuery(filters))
  return (
    <Page title={t('comments.title')} lead={t('comments.lead')}>
      <div className={styles.bar}>
        <SearchForm
          label={t('comments.search')}
          value={filters.keyword}
          maxLength={100}
          asTyped
          onSearch={(keyword) => replace({ keyword })}
        />
        {filters.user && <OnePerson id={filters.user} onAll={() => replace({ user: '' })} />}
      </div>
      <h2 className="visually-hidden">{t('comments.list')}</h2>
      <QueryRows
        list={list}
        className={styles.list as string}
        skeleton={{ height: 96 }}
        empty={<EmptyState icon="speech" title={t('comments.empty')} />}
      >
        {(one) => <CommentEntry comment={one} onUser={(user) => replace({ user })} />}
      </QueryRows>
    </Page>
  )
}

function OnePerson({ id, onAll }: { id: string; onAll: () => void }) {
  const { t } = useTranslation('moderation')
  const person = useQuery(personCardQuery(id))
  const nameOf = usePersonName()
  const name = nameOf(person.data)
  return (
    <Button tone="outline" icon="close" aria-label={t('comments.everybody', { name })} onClick={onAll}>
      {name}
    </Button>
  )
}
