import { type KeyboardEvent, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WorkflowGraph } from '@/shared/api/types'
import { classNames } from '@/shared/lib/class-names'
import { Button } from '@/shared/ui/button'
import { type Box, type Drawing, drawGraph } from '../graph-layout'
import { fullView, pan, pointAt, unitsPerPixel, type View, viewAround, zoomBy } from '../graph-view'
import { NoDrawing } from './graph-drawing'
import { GraphBox, GraphLines, GraphNotes } from './graph-shapes'
import styles from './graph-stage.module.css'

type GraphStageProps = {
  graph: WorkflowGraph | undefined
  name: string
  /** The node to show; another `turn` shows the same one again. */
  look: { node: string; turn: number } | null
  marked: string | null
  /** Nodes with a chosen input or output. */
  chosen: ReadonlySet<string>
  onNode: (id: string) => void
}

/** An interactive graph: drag to pan, pinch or Ctrl and wheel to zoom, press a node to choose it. */
export default function GraphStage(props: GraphStageProps) {
  const drawing = useMemo(() => (props.graph ? drawGraph(props.graph) : null), [props.graph])
  return drawing ? <Stage {...props} drawing={drawing} /> : <NoDrawing />
}

const NEARER = 1.4
/** A pointer that moves less than this is a press. */
const STILL_PX = 4

function Stage({ drawing, graph, name, look, marked, chosen, onNode }: GraphStageProps & { drawing: Drawing }) {
  const { t } = useTranslation('workflows')
  const [view, setView] = useState<View>(() => fullView(drawing))
  const svg = useRef<SVGSVGElement>(null)
  const drag = useDrag(svg, setView)
  useEffect(() => {
    const box = drawing.boxes.find((one) => one.id === look?.node)
    if (box) setView(viewAround(box))
  }, [drawing, look])
  useWheel(svg, setView)
  const press = (id: string) => {
    if (!drag.moved()) onNode(id)
  }
  const walk = (event: KeyboardEvent<SVGSVGElement>) => {
    const step = STEPS[event.key]
    if (!step) return
    const nodes = [...event.currentTarget.querySelectorAll<SVGGElement>('[role=button]')]
    const next = nodes[nodes.indexOf(document.activeElement as unknown as SVGGElement) + step]
    const box = drawing.boxes.find((one) => one.id === next?.dataset.node)
    if (!next || !box) return
    event.preventDefault()
    next.focus({ preventScroll: true })
    setView(viewAround(box))
  }
  return (
    <div className={styles.stage}>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset; its nodes are its buttons. */}
      <svg
        ref={svg}
        className={styles.graph}
        viewBox={`${view.x} ${view.y} ${view.width} ${view.height}`}
        role="group"
        aria-label={t('detail.previewOf', { name, count: drawing.boxes.length })}
        onKeyDown={walk}
        {...drag.handlers}
      >
        <GraphLines lines={drawing.lines} />
        {drawing.boxes.map((box, index) => (
          <Node
            key={box.id}
            box={box}
            isMarked={box.id === marked}
            isChosen={chosen.has(box.id)}
            isFirst={marked === null ? index === 0 : box.id === marked}
            onPress={press}
          />
        ))}
      </svg>
      <GraphNotes drawing={drawing} missing={graph?.missingNodes} />
      <div className={styles.tools}>
        <Button
          size="small"
          icon="minus"
          aria-label={t('graph.farther')}
          onClick={() => setView(zoomBy(view, 1 / NEARER))}
        />
        <Button size="small" icon="plus" aria-label={t('graph.nearer')} onClick={() => setView(zoomBy(view, NEARER))} />
        <Button size="small" onClick={() => setView(fullView(drawing))}>
          {t('graph.whole')}
        </Button>
      </div>
    </div>
  )
}

const STEPS: Record<string, number | undefined> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

type NodeProps = { box: Box; isMarked: boolean; isChosen: boolean; isFirst: boolean; onPress: (id: string) => void }

const Node = memo(({ box, isMarked, isChosen, isFirst, onPress }: NodeProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own.
  <g
    role="button"
    tabIndex={isFirst ? 0 : -1}
    data-node={box.id}
    aria-label={`#${box.id} ${box.title}`}
    aria-pressed={isMarked}
    className={classNames(styles.node, isChosen && styles.chosen, isMarked && styles.marked)}
    onClick={() => onPress(box.id)}
    onKeyDown={(event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      onPress(box.id)
    }}
  >
    <GraphBox box={box} />
  </g>
))

type SetView = (change: (view: View) => View) => void

/** Pans by one pointer. */
function useDrag(svg: { current: SVGSVGElement | null }, setView: SetView) {
  const from = useRef<{ id: number; x: number; y: number } | null>(null)
  const way = useRef(0)
  return {
    moved: () => way.current > STILL_PX,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0 || from.current) return
        from.current = { id: event.pointerId, x: event.clientX, y: event.clientY }
        way.current = 0
      },
      onPointerMove: (event: PointerEvent) => {
        const start = from.current
        if (!start || event.pointerId !== start.id) return
        const [dx, dy] = [event.clientX - start.x, event.clientY - start.y]
        way.current += Math.abs(dx) + Math.abs(dy)
        // Captured only now: a captured press would not reach the node.
        if (way.current > STILL_PX) svg.current?.setPointerCapture(event.pointerId)
        from.current = { ...start, x: event.clientX, y: event.clientY }
        const stage = svg.current?.getBoundingClientRect()
        if (!stage) return
        setView((view) => {
          const units = unitsPerPixel(view, stage)
          return pan(view, dx * units, dy * units)
        })
      },
      onPointerUp: () => {
        from.current = null
      },
      onPointerCancel: () => {
        from.current = null
      },
    },
  }
}

/** Zooms by Ctrl and wheel, which touchpads also send for a pinch. The wheel alone scrolls the page. */
function useWheel(svg: { current: SVGSVGElement | null }, setView: SetView): void {
  useEffect(() => {
    const node = svg.current
    if (!node) return
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const stage = node.getBoundingClientRect()
      const point = { x: event.clientX - stage.left, y: event.clientY - stage.top }
      setView((view) => zoomBy(view, 1.1 ** (-event.deltaY / 25), pointAt(view, stage, point)))
    }
    node.addEventListener('wheel', turn, { passive: false })
    return () => node.removeEventListener('wheel', turn)
  }, [svg, setView])
}
