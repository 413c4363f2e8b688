import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type HitKind, hitsOf, searchQuery } from '@/features/search'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { oneOf, urlParams, useUrlParams } from '@/shared/lib/url-params'
import { Picture } from '@/shared/ui/picture'
import { Segments } from '@/shared/ui/segments'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import styles from '../pages/lists.module.css'

const WORDS = ['all', 'workflow', 'picture', 'people'] as const
type Word = (typeof WORDS)[number]
/** `searchInputType` in the address limits the search to one kind; other values mean all. */
const SEARCH_PARAMS = urlParams({ searchInputType: oneOf<Word>(WORDS, 'all') })
const KINDS: Record<Exclude<Word, 'all'>, HitKind> = { workflow: 'workflows', picture: 'pictures', people: 'people' }

type SearchResultsProps = {
  text: string
  most: number
  /** Renders only workflows; `similar` are semantic matches, for when no title matches. */
  workflows?: (similar: ReactNode) => ReactNode
}

/** Search results by kind, tolerant of typing errors. */
export function SearchResults({ text, most, workflows }: SearchResultsProps) {
  const { t } = useTranslation()
  const translated = useTranslated()
  const nameOf = usePersonName()
  const [{ searchInputType: word }, { replace }] = useUrlParams(SEARCH_PARAMS)
  const found = useQuery(searchQuery(text, most))
  const hits = found.data ? hitsOf(found.data, nameOf, (name) => t('search.pictureBy', { name }), translated) : []
  const shown = hits.filter((hit) => word === 'all' || hit.kind === KINDS[word])
  const titleOf = (key: Word) => (key === 'all' ? t('search.everything') : t(`search.kinds.${KINDS[key]}`))
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const list =
    found.data && shown.length === 0 ? (
      <EmptyState icon="search" title={t('search.none', { words: text })} />
    ) : (
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
    )
  return (
    <section className={styles.recent} aria-label={t('search.results')} aria-busy={!found.data}>
      <div className={styles.filters}>
        <Segments
          label={t('search.results')}
          options={WORDS.map((key) => ({ key, title: titleOf(key) }))}
          value={word}
          onChange={(next) => replace({ searchInputType: next })}
        />
      </div>
      <p className="visually-hidden" role="status">
        {found.data && t('search.count', { count: shown.length })}
      </p>
      {word === 'workflow' && workflows ? workflows(list) : list}
    </section>
  )
}
