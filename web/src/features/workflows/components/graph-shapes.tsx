import { memo } from 'react'
import type { Box, Line } from '../graph-layout'
import styles from './graph-preview.module.css'

/** What goes from one node to the next. */
export const GraphLines = memo(({ lines }: { lines: Line[] }) =>
  lines.map((line) => <path key={line.key} d={line.path} className={styles.line} />),
)

/** A node: its colour, its title, and what it is set to. */
export function GraphBox({ box }: { box: Box }) {
  return (
    <>
      <rect x={box.x} y={box.y} width={box.width} height={box.height} rx={10} className={styles.node} />
      <rect x={box.x} y={box.y} width={6} height={box.height} rx={3} style={{ fill: `hsl(${box.hue} 55% 62%)` }} />
      <text x={box.x + 18} y={box.y + 26} className={styles.title}>
        {fitting(box.title, box.width, 8.4)}
      </text>
      {box.facts.map((fact, index) => (
        <text key={fact} x={box.x + 18} y={box.y + 54 + index * 22} className={styles.fact}>
          {fitting(fact, box.width, 7.4)}
        </text>
      ))}
    </>
  )
}

/** As much of a text as fits into a box, by the mean width of a letter. */
const fitting = (text: string, width: number, letter: number): string =>
  [...text].slice(0, Math.floor((width - 26) / letter)).join('')
