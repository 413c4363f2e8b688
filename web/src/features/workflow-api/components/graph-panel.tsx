import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GraphStage, workflowGraphQuery } from '@/features/workflows'
import { useMedia, WIDE } from '@/shared/lib/use-media'
import { Button } from '@/shared/ui/button'
import { EditorFrame } from '@/shared/ui/editor-frame'
import { PartBoundary } from '@/shared/ui/part-boundary'
import { ErrorState, Skeleton } from '@/shared/ui/states'
import { useEditor } from '../editor-context'
import type { FocusedNodes } from './api-editor'
import styles from './graph-panel.module.css'

type GraphProps = { chosen: ReadonlySet<string>; places: FocusedNodes }
/** Another `turn` loads the graph again. */
type GraphPanelProps = GraphProps & { turn: number }

/** The graph beside the lists, collapsible on narrow windows. */
export function GraphPanel({ chosen, places, turn }: GraphPanelProps) {
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
            <Graph key={turn} chosen={chosen} places={places} />
          </PartBoundary>
        </div>
      )}
    </section>
  )
}

/** The graph in the node editor, read-only; our own drawing without it and on phones. */
function Graph({ chosen, places }: GraphProps) {
  const { t } = useTranslation('workflowApi')
  const { editor } = useEditor()
  return (
    <EditorFrame
      source={{ flow: editor.workflow._id }}
      title={t('graph.title')}
      onBridge={places.connect}
      onMessage={places.receive}
    >
      <Suspense fallback={<Skeleton style={{ height: '100%' }} />}>
        <DrawnGraph chosen={chosen} places={places} />
      </Suspense>
    </EditorFrame>
  )
}

function DrawnGraph({ chosen, places }: GraphProps) {
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
      onNode={(nodeId) => places.drawing.emit({ type: 'nodeClick', nodeId })}
    />
  )
}
