import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { useRequireUser } from '@/features/auth'
import { withTexts } from '@/shared/i18n'
import { chunk } from '@/shared/lib/chunk'
import { nsfwFilter, useNsfwChoice } from '@/shared/lib/nsfw'
import { withParams } from '@/shared/lib/with-params'
import { Button } from '@/shared/ui/button'
import { DialogLoadError } from '@/shared/ui/dialog-load-error'
import { lazyPart } from '@/shared/ui/lazy-part'
import { NsfwSelect } from '@/shared/ui/nsfw-select'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { EmptyState } from '@/shared/ui/states'
import { workflowsQuery, workflowTagsQuery } from '../api'
import { SortSelect } from '../components/sort-select'
import { TagChips } from '../components/tag-chips'
import { WorkflowList } from '../components/workflow-grid'
import { rootTags, SORTS, type WorkflowSort } from '../model'
import { useKeywordSearch } from '../use-keyword-search'
import styles from './lists.module.css'

const ImportDialog = lazyPart(withTexts(chunk(() => import('../components/import-dialog'))), DialogLoadError)

export default function WorkflowsPage() {
  const { t } = useTranslation('workflows')
  const asUser = useRequireUser()
  const search = useKeywordSearch()
  const [params, setParams] = useSearchParams()
  const sort = SORTS.find((known) => known === params.get('sort')) ?? 'publishedAt'
  const nsfw = nsfwFilter(useNsfwChoice())
  const list = useInfiniteQuery(workflowsQuery({ sort, nsfw }))
  const tags = useQuery(workflowTagsQuery())
  const [importing, setImporting] = useState(false)
  const start = () => asUser(() => setImporting(true))
  const choose = (next: WorkflowSort) =>
    setParams(withParams(params, { sort: next === 'publishedAt' ? '' : next }), {
      replace: true,
      preventScrollReset: true,
    })
  const upload = (
    <Button tone="primary" icon="plus" onClick={start}>
      {t('import.action')}
    </Button>
  )
  return (
    <Page title={t('title')} lead={t('lead')} actions={upload}>
      <div className={styles.bar}>
        <SearchForm label={t('search.label')} onSearch={search} />
        <div className={styles.choices}>
          <SortSelect className={styles.select as string} value={sort} onChange={choose} />
          <NsfwSelect className={styles.select as string} />
        </div>
      </div>
      <nav className={styles.tags} aria-label={t('tags')}>
        <TagChips tags={rootTags(tags.data ?? [])} />
      </nav>
      <h2 className="visually-hidden">{t('title')}</h2>
      <WorkflowList
        list={list}
        empty={
          nsfw === 'View' ? (
            <EmptyState icon="workflow" title={t('empty.title')} text={t('empty.text')} action={upload} />
          ) : (
            <EmptyState icon="search" title={t('search.noneTitle')} />
          )
        }
      />
      {importing && (
        <Suspense fallback={null}>
          <ImportDialog onClose={() => setImporting(false)} />
        </Suspense>
      )}
    </Page>
  )
}
