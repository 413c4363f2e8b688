import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { GraphDrawing } from '@/features/workflows'
import { jobGraphQuery } from '@/shared/api/editor'
import { EditorFrame } from '@/shared/ui/editor-frame'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import styles from './job-graph.module.css'

const FULL = { height: '100%' }

/** The graph that ran. Graphs of mini apps are not shown. */
export function JobGraph({ job }: { job: string }) {
  const { t } = useTranslation('jobs')
  const graph = useQuery(jobGraphQuery(job))
  if (graph.data === null) return null
  return (
    <section className={styles.graph} aria-label={t('graph')}>
      {graph.isError && <ErrorState error={graph.error} onRetry={() => void graph.refetch()} />}
      {graph.isPending && <Skeleton style={FULL} />}
      {graph.data && (
        <EditorFrame source={{ job }} title={t('graph')}>
          <Suspense fallback={<Skeleton style={FULL} />}>
            <GraphDrawing graph={graph.data} name={t('graph')} />
          </Suspense>
        </EditorFrame>
      )}
    </section>
  )
}
