import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { Page } from '@/shared/ui/page'
import { EmptyState } from '@/shared/ui/states'
import { basicWorkflowsQuery } from '../api'
import { WorkflowList } from '../components/workflow-grid'

/** Workflows that admins recommend to beginners. */
export default function BasicWorkflowsPage() {
  const { t } = useTranslation('workflows')
  const list = useInfiniteQuery(basicWorkflowsQuery())
  const browse = <ButtonLink to={paths.workflows()}>{t('basicPage.browse')}</ButtonLink>
  return (
    <Page title={t('basicPage.title')} lead={t('basicPage.lead')}>
      <h2 className="visually-hidden">{t('basicPage.title')}</h2>
      <WorkflowList
        list={list}
        empty={
          <EmptyState icon="star" title={t('basicPage.emptyTitle')} text={t('basicPage.emptyText')} action={browse} />
        }
      />
    </Page>
  )
}
