import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkflowGraph } from '@/shared/api/types'
import { Icon } from '@/shared/ui/icon'
import { drawGraph } from '../graph-layout'
import styles from './graph-preview.module.css'
import { GraphBox, GraphLines, GraphNotes } from './graph-shapes'

export default function GraphDrawing({ graph, name }: { graph: WorkflowGraph | undefined; name: string }) {
  const { t } = useTranslation('workflows')
  const drawing = useMemo(() => (graph ? drawGraph(graph) : null), [graph])
  if (!drawing) return <NoDrawing />
  return (
    <span className={styles.stage}>
      <svg
        className={styles.graph}
        viewBox={`${drawing.x} ${drawing.y} ${drawing.width} ${drawing.height}`}
        role="img"
        aria-label={t('detail.previewOf', { name, count: drawing.boxes.length })}
      >
        <GraphLines lines={drawing.lines} />
        {drawing.boxes.map((box) => (
          <g key={box.id}>
            <GraphBox box={box} />
          </g>
        ))}
      </svg>
      <GraphNotes drawing={drawing} missing={graph?.missingNodes} />
    </span>
  )
}

/** Stands in for a graph without nodes. */
export function NoDrawing() {
  const { t } = useTranslation('workflows')
  return (
    <span className={styles.stage}>
      <span className={styles.none}>
        <Icon name="workflow" size={28} />
        {t('detail.noPreview')}
      </span>
    </span>
  )
}
