import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePersonName } from '@/shared/lib/person-name'
import { freeText, oneOf, urlParams, useUrlParams } from '@/shared/lib/url-params'
import { Button } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { SearchForm } from '@/shared/ui/search-form'
import { Segments } from '@/shared/ui/segments'
import { EmptyState } from '@/shared/ui/states'
import { adminWorkflowsQuery } from '../api'
import { SortSelect } from '../components/sort-select'
import { WorkflowList } from '../components/workflow-grid'
import { ADMIN_FILTERS, SORTS } from '../model'
import styles from './lists.module.css'

const LIST_PARAMS = urlParams({
  filter: oneOf(ADMIN_FILTERS, 'all'),
  sort: oneOf(SORTS, 'newest'),
  keyword: freeText(),
  user: freeText(),
})

export default function AdminWorkflowsPage() {
  const { t } = useTranslation('workflows')
  const nameOf = usePersonName()
  const [{ filter, sort, keyword, user }, { replace, push }] = useUrlParams(LIST_PARAMS)
  const list = useInfiniteQuery(adminWorkflowsQuery(filter, sort, keyword, user))
  const author = list.data?.[0]?.user
  return (
    <Page title={t('admin.title')} lead={t('admin.lead')}>
      <div className={styles.bar}>
        <SearchForm
          label={t('admin.search')}
          value={keyword}
          maxLength={100}
          asTyped
          onSearch={(next) => replace({ keyword: next })}
        />
        <SortSelect className={styles.select as string} value={sort} onChange={(next) => replace({ sort: next })} />
      </div>
      <div className={styles.bar}>
        <div className={styles.filters}>
          <Segments
            label={t('admin.filter')}
            options={ADMIN_FILTERS.map((key) => ({ key, title: t(`admin.${key}`) }))}
            value={filter}
            onChange={(next) => replace({ filter: next })}
          />
        </div>
        {user && (
          <Button size="small" tone="outline" icon="close" onClick={() => push({ user: '' })}>
            {t('admin.allOf', { name: author ? nameOf(author) : t('admin.thisPerson') })}
          </Button>
        )}
      </div>
      <h2 className="visually-hidden">{t('admin.title')}</h2>
      <WorkflowList list={list} empty={<EmptyState icon="workflow" title={t('admin.empty')} />} />
    </Page>
  )
}
