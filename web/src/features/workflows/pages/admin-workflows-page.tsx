import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { Page } from '@/shared/ui/page'
import { Segments } from '@/shared/ui/segments'
import { EmptyState } from '@/shared/ui/states'
import { adminWorkflowsQuery } from '../api'
import { AdminOnly } from '../components/admin-only'
import { SortSelect } from '../components/sort-select'
import { WorkflowList } from '../components/workflow-grid'
import { ADMIN_FILTERS, type AdminFilter, SORTS } from '../model'
import styles from './lists.module.css'

/** All workflows of all people, for admins. */
export default function AdminWorkflowsPage() {
  return (
    <AdminOnly>
      <AdminWorkflows />
    </AdminOnly>
  )
}

function AdminWorkflows() {
  const { t } = useTranslation('workflows')
  const [params, setParams] = useSearchParams()
  const filter: AdminFilter = ADMIN_FILTERS.find((known) => known === params.get('filter')) ?? 'all'
  const sort = SORTS.find((known) => known === params.get('sort')) ?? 'newest'
  const list = useInfiniteQuery(adminWorkflowsQuery(filter, sort))
  const set = (key: string, value: string) => {
    const next = new URLSearchParams(params)
    next.set(key, value)
    setParams(next, { replace: true, preventScrollReset: true })
  }
  return (
    <Page title={t('admin.title')} lead={t('admin.lead')}>
      <div className={styles.bar}>
        <div className={styles.filters}>
          <Segments
            label={t('admin.filter')}
            options={ADMIN_FILTERS.map((key) => ({ key, title: t(`admin.${key}`) }))}
            value={filter}
            onChange={(next) => set('filter', next)}
          />
        </div>
        <SortSelect className={styles.select as string} value={sort} onChange={(next) => set('sort', next)} />
      </div>
      <h2 className="visually-hidden">{t('admin.title')}</h2>
      <WorkflowList list={list} empty={<EmptyState icon="workflow" title={t('admin.empty')} />} />
    </Page>
  )
}
