import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkflowGraph } from '@/shared/api/types'
import { Icon } from '@/shared/ui/icon'
import { drawGraph } from '../graph-layout'
import styles from './graph-preview.module.css'

/** A graph as a still drawing: its nodes where they stand, and what goes from one to the next. */
export function GraphDrawing({ graph, name }: { graph: WorkflowGraph | undefined; name: string }) {
  const { t } = useTranslation('workflows')
  const drawing = useMemo(() => (graph ? drawGraph(graph) : null), [graph])
  if (!drawing) {
    return (
      <span className={styles.stage}>
        <span className={styles.none}>
          <Icon name="workflow" size={28} />
          {t('detail.noPreview')}
        </span>
      </span>
    )
  }
  return (
    <span className={styles.stage}>
      <svg
        className={styles.graph}
        viewBox={`${drawing.x} ${drawing.y} ${drawing.width} ${drawing.height}`}
        role="img"
        aria-label={t('detail.previewOf', { name, count: drawing.boxes.length })}
      >
        {drawing.lines.map((line) => (
          <path key={line.key} d={line.path} className={styles.line} />
        ))}
        {drawing.boxes.map((box) => (
          <g key={box.id}>
            <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={10} className={styles.node} />
            <rect
              x={box.x}
              y={box.y}
              width={6}
              height={box.height}
              rx={3}
              style={{ fill: `hsl(${box.hue} 55% 62%)` }}
            />
            <text x={box.x + 18} y={box.y + 26} className={styles.title}>
              {fitting(box.title, box.width, 8.4)}
            </text>
            {box.facts.map((fact, index) => (
              <text key={fact} x={box.x + 18} y={box.y + 54 + index * 22} className={styles.fact}>
                {fitting(fact, box.width, 7.4)}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </span>
  )
}

/** As much of a text as fits into a box, by the mean width of a letter. */
const fitting = (text: string, width: number, letter: number): string =>
  [...text].slice(0, Math.floor((width - 26) / letter)).join('')
