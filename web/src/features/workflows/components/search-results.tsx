import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Hit, type HitKind, hitsOf, kindSearchQuery, searchQuery } from '@/features/search'
import type { SearchResults as Results } from '@/shared/api/types'
import { usePersonName } from '@/shared/lib/person-name'
import { useTranslated } from '@/shared/lib/translated'
import { oneOf, urlParams, useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { Picture } from '@/shared/ui/picture'
import { QueryList, SkeletonRows } from '@/shared/ui/query-list'
import { Segments } from '@/shared/ui/segments'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import styles from '../pages/lists.module.css'

const WORDS = ['all', 'workflow', 'picture', 'people'] as const
type Word = (typeof WORDS)[number]
/** `searchInputType` in the address limits the search to one kind; other values mean all. */
const SEARCH_PARAMS = urlParams({ searchInputType: oneOf<Word>(WORDS, 'all') })
type Only = Exclude<Word, 'all'>
const KINDS: Record<Only, HitKind> = { workflow: 'workflows', picture: 'pictures', people: 'people' }
const ONLY: Only[] = ['workflow', 'picture', 'people']
const SKELETON = { height: 56 }
const NONE: readonly { _id: string }[] = []

type SearchResultsProps = {
  text: string
  /** Results of each kind where all kinds are shown. */
  most: number
  /** Renders only workflows. `similar` renders what tolerates typing errors, without these workflows. */
  workflows?: (similar: (shown: readonly { _id: string }[]) => ReactNode) => ReactNode
}

/** Search results by kind, tolerant of typing errors. */
export function SearchResults({ text, most, workflows }: SearchResultsProps) {
  const { t } = useTranslation()
  const [{ searchInputType: word }, { replace }] = useUrlParams(SEARCH_PARAMS)
  const titleOf = (key: Word) => (key === 'all' ? t('search.everything') : t(`search.kinds.${KINDS[key]}`))
  const section = useRef<HTMLElement>(null)
  const choose = (searchInputType: Word) => replace({ searchInputType })
  // The button of the choice disappears with the results below which it was.
  const showAll = (only: Only) => {
    choose(only)
    section.current?.focus()
  }
  return (
    <section ref={section} tabIndex={-1} className={styles.recent} aria-label={t('search.results')}>
      <div className={styles.filters}>
        <Segments
          label={t('search.results')}
          options={WORDS.map((key) => ({ key, title: titleOf(key) }))}
          value={word}
          onChange={choose}
        />
      </div>
      {word === 'all' ? (
        <EveryKind text={text} most={most} onChoose={showAll} />
      ) : word === 'workflow' && workflows ? (
        workflows((shown) => <Similar text={text} shown={shown} />)
      ) : (
        <OneKind key={word} text={text} kind={KINDS[word]} />
      )}
    </section>
  )
}

type EveryKindProps = { text: string; most: number; onChoose: (only: Only) => void }

/** The best results of each kind, and a way to the others. */
function EveryKind({ text, most, onChoose }: EveryKindProps) {
  const { t } = useTranslation()
  const { t: own } = useTranslation('workflows')
  const linesOf = useLines()
  const found = useQuery(searchQuery(text, most))
  if (found.isError && !found.data) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const hits = found.data ? linesOf(found.data) : []
  // An earlier search that found nothing does not tell what this one finds.
  const isLoading = !found.data || (found.isPlaceholderData && hits.length === 0)
  const hasMore = found.data?.nextSkip != null
  const full = ONLY.filter((only) => hasMore && hits.filter((hit) => hit.kind === KINDS[only]).length === most)
  return (
    <div aria-busy={isLoading || found.isPlaceholderData}>
      <p className="visually-hidden" role="status">
        {!isLoading && t('search.count', { count: hits.length })}
      </p>
      {isLoading ? (
        <SkeletonRows {...SKELETON} />
      ) : hits.length === 0 ? (
        <NothingFound text={text} />
      ) : (
        <HitList hits={hits} />
      )}
      {full.map((only) => (
        <Button key={only} tone="ghost" size="small" onClick={() => onChoose(only)}>
          {own('search.more', { kind: t(`search.kinds.${KINDS[only]}`) })}
        </Button>
      ))}
    </div>
  )
}

/** All results of one kind. */
function OneKind({ text, kind }: { text: string; kind: HitKind }) {
  const found = useKind(text, kind)
  return (
    <QueryList list={found} skeleton={SKELETON} empty={<NothingFound text={text} />}>
      {(hits) => <HitList hits={hits} />}
    </QueryList>
  )
}

/** Results that tolerate typing errors, below the workflows that have the words. */
function Similar({ text, shown }: { text: string; shown: readonly { _id: string }[] }) {
  const { t } = useTranslation('workflows')
  const found = useKind(text, 'workflows', shown)
  if (shown.length === 0) return <OneKind text={text} kind="workflows" />
  if (found.data?.length === 0 && !found.hasNextPage) return null
  return (
    <section className={styles.recent} aria-labelledby="similar-workflows">
      <h2 id="similar-workflows" className={styles.heading}>
        {t('search.similar')}
      </h2>
      <QueryList list={found} skeleton={SKELETON} empty={null}>
        {(hits) => <HitList hits={hits} />}
      </QueryList>
    </section>
  )
}

function useKind(text: string, kind: HitKind, without = NONE) {
  const linesOf = useLines()
  return useInfiniteQuery({
    ...kindSearchQuery(text, kind),
    select: ({ pages }) =>
      pages.flatMap(linesOf).filter((hit) => hit.kind === kind && !without.some(({ _id }) => _id === hit.id)),
  })
}

/** Makes the lines of results. */
function useLines(): (found: Results) => Hit[] {
  const { t } = useTranslation()
  const translated = useTranslated()
  const nameOf = usePersonName()
  return (found) => hitsOf(found, nameOf, (name) => t('search.pictureBy', { name }), translated)
}

function NothingFound({ text }: { text: string }) {
  const { t } = useTranslation()
  return <EmptyState icon="search" title={t('search.none', { words: text })} />
}

function HitList({ hits }: { hits: Hit[] }) {
  return (
    <ul className={styles.list}>
      {hits.map((hit) => (
        <li key={`${hit.kind}-${hit.id}`}>
          <Link className={styles.hit} to={hit.to}>
            <Picture className={styles.hitFace as string} src={hit.picture} alt="" ratio={1} />
            <span>{hit.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
