import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { AdminOnly } from '@/features/workflows'
import { usePersonName } from '@/shared/lib/person-name'
import { Button } from '@/shared/ui/button'
import { LoadMore } from '@/shared/ui/load-more'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { allCommentsQuery, type CommentQuestion, personCardQuery } from '../api'
import { CommentEntry } from '../components/comment-entry'
import styles from './comments-page.module.css'

/** All comments of everybody, for admins to look through. */
export default function CommentsPage() {
  return (
    <AdminOnly>
      <Comments />
    </AdminOnly>
  )
}

function Comments() {
  const { t } = useTranslation('moderation')
  const [params, setParams] = useSearchParams()
  const asked = { keyword: params.get('keyword') ?? '', user: params.get('user') ?? '' }
  const answer = (key: keyof CommentQuestion, value: string) => {
    const next = new URLSearchParams(params)
    if (value) next.set(key, value)
    else next.delete(key)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return (
    <Page title={t('comments.title')} lead={t('comments.lead')}>
      <div className={styles.bar}>
        <SearchForm
          label={t('comments.search')}
          value={asked.keyword}
          maxLength={100}
          onSearch={(words) => answer('keyword', words)}
        />
        {asked.user && <OnePerson id={asked.user} onAll={() => answer('user', '')} />}
      </div>
      <h2 className="visually-hidden">{t('comments.list')}</h2>
      <List asked={asked} onUser={(user) => answer('user', user)} />
    </Page>
  )
}

/** Whose comments are shown, where it is one person. */
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

function List({ asked, onUser }: { asked: CommentQuestion; onUser: (id: string) => void }) {
  const { t } = useTranslation('moderation')
  const list = useInfiniteQuery(allCommentsQuery(asked))
  if (list.isPending) {
    return (
      <div className={styles.list} aria-busy="true">
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} style={{ height: 96, borderRadius: 12 }} />
        ))}
      </div>
    )
  }
  if (!list.data) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  return (
    <>
      {list.data.length === 0 && !list.hasNextPage && <EmptyState icon="speech" title={t('comments.empty')} />}
      <ul className={styles.list}>
        {list.data.map((one) => (
          <li key={one._id}>
            <CommentEntry comment={one} onUser={onUser} />
          </li>
        ))}
      </ul>
      <LoadMore hasMore={list.hasNextPage} loading={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </>
  )
}
