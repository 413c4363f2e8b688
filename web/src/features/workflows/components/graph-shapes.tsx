import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Box, Drawing, Line } from '../graph-layout'
import styles from './graph-preview.module.css'

export const GraphLines = memo(({ lines }: { lines: Line[] }) =>
  lines.map((line) => <path key={line.key} d={line.path} className={styles.line} />),
)

export function GraphBox({ box }: { box: Box }) {
  const { t } = useTranslation('workflows')
  const title = box.off ? `${box.title} (${t(`graph.${box.off}`)})` : box.title
  return (
    <g className={box.off ? styles[box.off] : undefined}>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={10} className={styles.node} />
      <rect x={box.x} y={box.y} width={6} height={box.height} rx={3} style={{ fill: `hsl(${box.hue} 55% 62%)` }} />
      <text x={box.x + 18} y={box.y + 26} className={styles.title}>
        {fitting(title, box.width, 8.4)}
      </text>
      {box.facts.map((fact, index) => (
        <text key={fact} x={box.x + 18} y={box.y + 54 + index * 22} className={styles.fact}>
          {fitting(fact, box.width, 7.4)}
        </text>
      ))}
    </g>
  )
}

/** Notes about nodes beyond the limit, and about nodes that no worker has. */
export function GraphNotes({ drawing, missing }: { drawing: Drawing; missing: string[] | undefined }) {
  const { t } = useTranslation('workflows')
  const isCut = drawing.total > drawing.boxes.length
  if (!isCut && !missing?.length) return null
  return (
    <span className={styles.notes}>
      {isCut && <span>{t('graph.cut', { shown: drawing.boxes.length, total: drawing.total })}</span>}
      {missing && missing.length > 0 && (
        <span>
          {t('graph.missing', { count: missing.length })} {missing.join(', ')}
        </span>
      )}
    </span>
  )
}

/** Cuts a text to a box, by the mean width of a letter. */
const fitting = (text: string, width: number, letter: number): string =>
  [...text].slice(0, Math.floor((width - 26) / letter)).join('')
