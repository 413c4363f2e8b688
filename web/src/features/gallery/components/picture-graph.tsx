import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useUser } from '@/features/auth'
import { GraphDrawing } from '@/features/workflows'
import { isApiError } from '@/shared/api/errors'
import { paths } from '@/shared/lib/paths'
import { EditorFrame } from '@/shared/ui/editor-frame'
import { EmptyState, ErrorState, Skeleton } from '@/shared/ui/states'
import { pictureGraphQuery } from '../api'
import styles from './picture-graph.module.css'

export default function PictureGraph({ id }: { id: string }) {
  const { t } = useTranslation('gallery')
  const user = useUser()
  const made = useQuery({ ...pictureGraphQuery(id, Boolean(user)), enabled: user !== undefined })
  if (made.isPending) return <Skeleton className={styles.graph} />
  if (isApiError(made.error, 404)) {
    return <EmptyState icon="lock" title={t('graph.keptTitle')} text={t('graph.keptText')} />
  }
  if (!made.data) return <ErrorState error={made.error} onRetry={() => void made.refetch()} />
  const { name, workflow, graph } = made.data
  return (
    <figure className={styles.graph}>
      <EditorFrame source={{ image: id }} title={name || t('graph.of')}>
        <Suspense fallback={<Skeleton className={styles.graph} />}>
          <GraphDrawing graph={graph} name={name || t('graph.of')} />
        </Suspense>
      </EditorFrame>
      {workflow && (
        <figcaption className={styles.made}>
          {t('graph.made')} <Link to={paths.workflow(workflow)}>{name}</Link>
        </figcaption>
      )}
    </figure>
  )
}
