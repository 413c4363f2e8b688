import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { type HitKind, hitsOf, searchQuery, useDebounced } from '@/features/search'
import { paths } from '@/shared/lib/paths'
import { usePersonName } from '@/shared/lib/person-name'
import { useTitle } from '@/shared/lib/use-title'
import { withParams } from '@/shared/lib/with-params'
import { useWordsOf } from '@/shared/lib/words-of'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Page } from '@/shared/ui/page'
import { Picture } from '@/shared/ui/picture'
import { SearchForm } from '@/shared/ui/search-form'
import { Segments } from '@/shared/ui/segments'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { workflowTagsQuery } from '../api'
import { TagChips } from '../components/tag-chips'
import { tagName, tagSearch } from '../model'
import { forgetSearches, recentSearches } from '../recent'
import { useWordSearch } from '../use-word-search'
import styles from './lists.module.css'

const KINDS: HitKind[] = ['workflows', 'pictures', 'people']
const PAUSE_MS = 180
const MOST = 12

/** What `searchInputType` in the address asks for; everything where it names nothing that there is. */
const kindOf = (word: string | null): HitKind | 'all' =>
  word === 'picture' ? 'pictures' : word === 'people' ? 'people' : word === 'workflow' ? 'workflows' : 'all'
const WORDS: Record<HitKind, string> = { workflows: 'workflow', pictures: 'picture', people: 'people' }

/**
 * The search of phones: the field, what is found while somebody writes, what was searched for before, and the tags.
 * `searchInputType` in the address says what is searched.
 */
export default function MobileSearchPage() {
  const { t, i18n } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const [words, setWords] = useState('')
  const asked = useDebounced(words.trim(), PAUSE_MS)
  useTitle(t('search.title'))
  const search = useWordSearch()
  const [recent, setRecent] = useState(recentSearches)
  const tags = useQuery(workflowTagsQuery()).data ?? []
  const forget = () => {
    forgetSearches()
    setRecent([])
  }
  return (
    <Page title={t('search.title')}>
      <div className={styles.bar}>
        <SearchForm label={common('search.label')} autoFocus onSearch={search} onWrite={setWords} />
      </div>
      {asked && <FoundNow text={asked} />}
      {!asked && recent.length > 0 && (
        <section className={styles.recent} aria-labelledby="recent-searches">
          <div className={styles.recentHead}>
            <h2 id="recent-searches" className={styles.heading}>
              {t('search.recent')}
            </h2>
            <Button tone="ghost" size="small" onClick={forget}>
              {t('search.forget')}
            </Button>
          </div>
          <ul className={styles.list}>
            {recent.map((words) => (
              <li key={words}>
                <button type="button" className={styles.words} onClick={() => search(words)}>
                  <Icon name="search" size={16} />
                  {words}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {(asked ? [] : tags)
        .filter((tag) => tag.depth === 0 && tag.childrenTags.length > 0)
        .map((root) => (
          <section key={root._id} className={styles.recent} aria-labelledby={`tag-${root._id}`}>
            <h2 id={`tag-${root._id}`} className={styles.heading}>
              <Link to={paths.search(tagSearch(root))}>{tagName(root, i18n.language)}</Link>
            </h2>
            <TagChips tags={root.childrenTags} />
          </section>
        ))}
    </Page>
  )
}

/** What the words mean, kind by kind. */
function FoundNow({ text }: { text: string }) {
  const { t } = useTranslation()
  const wordsOf = useWordsOf()
  const nameOf = usePersonName()
  const [params, setParams] = useSearchParams()
  const kind = kindOf(params.get('searchInputType'))
  const found = useQuery(searchQuery(text, MOST))
  const hits = found.data ? hitsOf(found.data, nameOf, (name) => t('search.pictureBy', { name }), wordsOf) : []
  const shown = hits.filter((hit) => kind === 'all' || hit.kind === kind)
  const options = [
    { key: 'all' as const, title: t('search.everything') },
    ...KINDS.map((key) => ({ key, title: t(`search.kinds.${key}`) })),
  ]
  const choose = (next: HitKind | 'all') =>
    setParams(withParams(params, { searchInputType: next === 'all' ? 'all' : WORDS[next] }), {
      replace: true,
      preventScrollReset: true,
    })
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  return (
    <section className={styles.recent} aria-label={t('search.results')} aria-busy={!found.data}>
      <div className={styles.filters}>
        <Segments label={t('search.results')} options={options} value={kind} onChange={choose} />
      </div>
      <p className="visually-hidden" role="status">
        {found.data && t('search.count', { count: shown.length })}
      </p>
      {found.data && shown.length === 0 && <EmptyState icon="search" title={t('search.none', { words: text })} />}
      <ul className={styles.list}>
        {shown.map((hit) => (
          <li key={`${hit.kind}-${hit.id}`}>
            <Link className={styles.hit} to={hit.to}>
              <Picture className={styles.hitFace as string} src={hit.picture} alt="" ratio={1} />
              <span>{hit.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
