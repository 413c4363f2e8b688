import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { oneOf, question, useQuestion } from '@/shared/lib/question'
import { Page } from '@/shared/ui/page'
import { Segments } from '@/shared/ui/segments'
import { EmptyState } from '@/shared/ui/states'
import { adminWorkflowsQuery } from '../api'
import { SortSelect } from '../components/sort-select'
import { WorkflowList } from '../components/workflow-grid'
import { ADMIN_FILTERS, SORTS } from '../model'
import styles from './lists.module.css'

const ASKING = question({ filter: oneOf(ADMIN_FILTERS, 'all'), sort: oneOf(SORTS, 'newest') })

/** All workflows of all people, for admins. */
export default function AdminWorkflowsPage() {
  const { t } = useTranslation('workflows')
  const [{ filter, sort }, { answer }] = useQuestion(ASKING)
  const list = useInfiniteQuery(adminWorkflowsQuery(filter, sort))
  return (
    <Page title={t('admin.title')} lead={t('admin.lead')}>
      <div className={styles.bar}>
        <div className={styles.filters}>
          <Segments
            label={t('admin.filter')}
            options={ADMIN_FILTERS.map((key) => ({ key, title: t(`admin.${key}`) }))}
            value={filter}
            onChange={(next) => answer({ filter: next })}
          />
        </div>
        <SortSelect className={styles.select as string} value={sort} onChange={(next) => answer({ sort: next })} />
      </div>
      <h2 className="visually-hidden">{t('admin.title')}</h2>
      <WorkflowList list={list} empty={<EmptyState icon="workflow" title={t('admin.empty')} />} />
    </Page>
  )
}
