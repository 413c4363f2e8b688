import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePersonName } from '@/shared/lib/person-name'
import { useQuestion } from '@/shared/lib/question'
import { Button } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { QueryRows } from '@/shared/ui/query-list'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState } from '@/shared/ui/states'
import { allCommentsQuery, personCardQuery } from '../api'
import { CommentEntry } from '../components/comment-entry'
import { COMMENTS } from '../model'
import styles from './comments-page.module.css'

/** All comments of everybody, for admins to look through. */
export default function CommentsPage() {
  const { t } = useTranslation('moderation')
  const [asked, { answer }] = useQuestion(COMMENTS)
  const list = useInfiniteQuery(allCommentsQuery(asked))
  return (
    <Page title={t('comments.title')} lead={t('comments.lead')}>
      <div className={styles.bar}>
        <SearchForm
          label={t('comments.search')}
          value={asked.keyword}
          maxLength={100}
          onSearch={(keyword) => answer({ keyword })}
        />
        {asked.user && <OnePerson id={asked.user} onAll={() => answer({ user: '' })} />}
      </div>
      <h2 className="visually-hidden">{t('comments.list')}</h2>
      <QueryRows
        list={list}
        className={styles.list as string}
        ghosts={{ height: 96 }}
        empty={<EmptyState icon="speech" title={t('comments.empty')} />}
      >
        {(one) => <CommentEntry comment={one} onUser={(user) => answer({ user })} />}
      </QueryRows>
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
