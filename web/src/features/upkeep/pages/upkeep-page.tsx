import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Page } from '@/shared/ui/page'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { upkeepQuery } from '../api'
import { TaskTable } from '../components/task-table'
import styles from './upkeep-page.module.css'

/** What the platform looks after in the background, whether that goes well, and a way to have it done at once. */
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
  if (tasks.isPending) {
    return (
      <div className={styles.ghosts} aria-busy="true">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
          <Skeleton key={key} style={{ height: 64, borderRadius: 8 }} />
        ))}
      </div>
    )
  }
  if (!tasks.data) return <ErrorState error={tasks.error} onRetry={() => void tasks.refetch()} />
  if (tasks.data.length === 0) return <EmptyState icon="clock" title={t('none')} text={t('noneText')} />
  return <TaskTable tasks={tasks.data} now={tasks.dataUpdatedAt} />
}
