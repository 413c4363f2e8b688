import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { workersQuery } from '@/features/fleet'
import type { ModelName } from '@/shared/api/types'
import { paths } from '@/shared/lib/paths'
import { ButtonLink } from '@/shared/ui/button'
import { SkeletonRows } from '@/shared/ui/query-list'
import { EmptyState } from '@/shared/ui/states'
import { foldersOf } from '../model'

/** States of workers whose models generators can use. */
const CONNECTED = ['Idle', 'Busy']

/** Why there are no model files, and what to connect. */
export function NoModels({ names }: { names: ModelName[] }) {
  const { t } = useTranslation('generators')
  const workers = useQuery(workersQuery())
  if (workers.isPending) return <SkeletonRows height={64} count={2} />
  const isConnected = workers.data?.some(({ state }) => CONNECTED.includes(state)) ?? true
  return (
    <EmptyState
      icon="bolt"
      title={t(isConnected ? 'models.empty' : 'models.noWorker')}
      text={isConnected ? t('models.emptyText', { folders: foldersOf(names).join(', ') }) : t('models.noWorkerText')}
      action={<ButtonLink to={paths.admin.home()}>{t('workers')}</ButtonLink>}
    />
  )
}
