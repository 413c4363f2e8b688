import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useDebounced } from '@/features/search'
import { paths } from '@/shared/lib/paths'
import { useTitle } from '@/shared/lib/use-title'
import { Button } from '@/shared/ui/button'
import { Icon } from '@/shared/ui/icon'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { workflowTagsQuery } from '../api'
import { SearchResults } from '../components/search-results'
import { TagChips } from '../components/tag-chips'
import { tagName, tagSearch } from '../model'
import { forgetSearches, recentSearches, useKeywordSearch } from '../use-keyword-search'
import styles from './lists.module.css'

const DEBOUNCE_MS = 180
const MAX_RESULTS = 12

/**
 * The search on phones: results while typing, recent searches and tags. `searchInputType` in the address limits the
 * kind.
 */
export default function MobileSearchPage() {
  const { t, i18n } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const [words, setWords] = useState('')
  const query = useDebounced(words.trim(), DEBOUNCE_MS)
  useTitle(t('search.title'))
  const search = useKeywordSearch()
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
      {query && <SearchResults text={query} most={MAX_RESULTS} />}
      {!query && recent.length > 0 && (
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
      {(query ? [] : tags)
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
