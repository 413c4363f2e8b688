import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GraphStage, workflowGraphQuery } from '@/features/workflows'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { useEditor } from '../editor-context'
import type { FocusedNodes } from './api-editor'
import styles from './graph-panel.module.css'

type GraphPanelProps = { chosen: ReadonlySet<string>; places: FocusedNodes }

/** The graph beside the lists, collapsible on narrow windows. */
export function GraphPanel({ chosen, places }: GraphPanelProps) {
  const { t } = useTranslation('workflowApi')
  const wide = useMedia(WIDE)
  const [open, setOpen] = useState(false)
  return (
    <section className={styles.panel} aria-label={t('graph.title')}>
      {!wide && (
        <Button
          tone="ghost"
          wide
          icon={open ? 'up' : 'down'}
          aria-expanded={open}
          className={styles.toggle as string}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'graph.hide' : 'graph.show')}
        </Button>
      )}
      {(wide || open) && (
        <div className={styles.stage}>
          <PartBoundary>
            <Suspense fallback={<Skeleton style={{ height: '100%' }} />}>
              <Graph chosen={chosen} places={places} />
            </Suspense>
          </PartBoundary>
        </div>
      )}
    </section>
  )
}

function Graph({ chosen, places }: GraphPanelProps) {
  const { editor } = useEditor()
  const { _id, name } = editor.workflow
  const graph = useQuery(workflowGraphQuery(_id, true))
  if (graph.isPending) return <Skeleton style={{ height: '100%' }} />
  if (!graph.data) return <ErrorState error={graph.error} onRetry={() => void graph.refetch()} />
  return (
    <GraphStage
      graph={graph.data}
      name={name}
      look={places.look}
      marked={places.marked}
      chosen={chosen}
      onNode={(nodeId) => places.bridge.emit({ type: 'nodeClick', nodeId })}
    />
  )
}
