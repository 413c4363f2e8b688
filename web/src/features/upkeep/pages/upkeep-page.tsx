import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Page } from '@/shared/ui/page'
import { SkeletonRows } from '@/shared/ui/query-list'
import { EmptyState, ErrorState } from '@/shared/ui/states'
import { upkeepQuery } from '../api'
import { TaskTable } from '../components/task-row'

export default function UpkeepPage() {
  const { t } = useTranslation('upkeep')
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tasks />
    </Page>
  )
}

function Tasks() {
  const { t } = useTranslation('upkeep')
  const tasks = useQuery(upkeepQuery())
  if (tasks.isPending) return <SkeletonRows height={64} count={6} />
  if (!tasks.data) return <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
  if (tasks.data.length === 0) return <EmptyState icon="clock" title={t('none')} text={t('noneText')} />
  return <TaskTable tasks={tasks.data} now={tasks.dataUpdatedAt} />
}
