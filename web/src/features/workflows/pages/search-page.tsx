import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { WorkflowTag } from '@/shared/api/types'
import { nsfwFilter, useNsfwChoice } from '@/shared/lib/nsfw'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { NsfwSelect } from '@/shared/ui/nsfw-select'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState } from '@/shared/ui/states'
import { type Found, workflowsQuery, workflowTagsQuery } from '../api'
import { SearchResults } from '../components/search-results'
import { TagChips } from '../components/tag-chips'
import { WorkflowList } from '../components/workflow-grid'
import { rootTags, tagName } from '../model'
import { useKeywordSearch } from '../use-keyword-search'
import styles from './lists.module.css'

const NO_TAGS: WorkflowTag[] = []
const MAX_RESULTS = 24

export default function SearchPage() {
  const { t, i18n } = useTranslation('workflows')
  const { t: common } = useTranslation()
  const search = useKeywordSearch()
  const [params] = useSearchParams()
  const choice = useNsfwChoice()
  const q = params.get('q')?.trim() ?? ''
  const parentTag = params.get('parentTag') ?? undefined
  const childrenTag = params.get('childrenTag') ?? undefined
  const hasFilter = Boolean(q || parentTag || childrenTag)
  const found: Found = {
    nsfw: nsfwFilter(choice),
    ...(q ? { q } : parentTag ? { parentTag } : childrenTag ? { childrenTag } : {}),
  }
  const list = useInfiniteQuery({ ...workflowsQuery(found), enabled: hasFilter })
  const tags = useQuery(workflowTagsQuery()).data ?? NO_TAGS
  const tag = q ? undefined : tags.find((known) => known._id === (parentTag ?? childrenTag))
  const title = q ? t('search.for', { words: q }) : tag ? tagName(tag, i18n.language) : t('search.title')
  // A root tag lists its children; a child lists its siblings.
  const root = tag && (tag.depth === 0 ? tag : tags.find((known) => known._id === tag.parentTag?._id))
  const row = root ? [root, ...root.childrenTags] : rootTags(tags)
  const browse = <ButtonLink to={paths.workflows()}>{t('basicPage.browse')}</ButtonLink>
  return (
    <Page title={title}>
      <div className={styles.bar}>
        <SearchForm label={q ? common('search.label') : t('search.label')} value={q} onSearch={search} />
        <div className={styles.choices}>
          <NsfwSelect className={styles.select as string} />
        </div>
      </div>
      <nav className={styles.tags} aria-label={t('tags')}>
        <TagChips tags={row} current={tag?._id} />
      </nav>
      <h2 className="visually-hidden">{t('search.results')}</h2>
      {q ? (
        <SearchResults
          text={q}
          most={MAX_RESULTS}
          workflows={(similar) => (
            <>
              <WorkflowList list={list} empty={null} />
              {list.data && !list.hasNextPage && !list.isPlaceholderData && similar(list.data)}
            </>
          )}
        />
      ) : hasFilter ? (
        <WorkflowList
          list={list}
          empty={<EmptyState icon="search" title={t('search.noneTitle')} text={t('search.noneText')} action={browse} />}
        />
      ) : (
        <EmptyState icon="search" title={t('search.askTitle')} text={t('search.askText')} />
      )}
    </Page>
  )
}
