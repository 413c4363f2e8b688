import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useFirstInteraction } from '@/shared/lib/use-first-interaction'
import styles from './masonry.module.css'
import {
  cellsWithin,
  type GridShape,
  gridShape,
  type Layout,
  placeAll,
  type Section,
  widthWithin,
} from './masonry-layout'

type MasonryProps<T> = {
  items: T[]
  keyOf: (item: T) => string
  /** Width by height. */
  ratioOf: (item: T) => number
  render: (item: T, index: number) => ReactNode
  label: string
  /** Columns and gaps by window width; the gallery's by default. */
  shapeOf?: (windowWidth: number) => GridShape
  /** Sections with headings. Their counts add up to the number of items. */
  sections?: (Section & { key: string; heading: ReactNode })[] | undefined
  /** Scrolls to this item and focuses it, once per value. */
  reveal?: { key: string } | null | undefined
}

const HEADING = 44
/** Rendered range above and below the window, so that fast scrolling finds pictures. */
const OVERSCAN = 900
/** The scroll position is read in steps, so that most scroll events change nothing. */
const STEP = 200
/** Before the first interaction, only visible cells are rendered. */
const FIRST_STEP = 20

/** Pictures of any ratio in columns. Only cells near the window are rendered. Scrolls with the page. */
export function Masonry<T>(props: MasonryProps<T>) {
  const { items, keyOf, ratioOf, render, label, shapeOf = gridShape, sections, reveal } = props
  const box = useRef<HTMLDivElement>(null)
  const place = usePlace(box)
  const layout = useMemo(() => {
    const parts = sections ?? [{ count: items.length, headed: false }]
    const ratio = (index: number) => {
      const item = items[index]
      return item === undefined ? 1 : ratioOf(item)
    }
    const shape = shapeOf(place.window)
    return placeAll(parts, ratio, { ...shape, width: widthWithin(place.width, shape), headingHeight: HEADING })
  }, [items, sections, ratioOf, shapeOf, place.width, place.window])
  const interacted = useFirstInteraction()
  const near = useNear(box, layout, interacted ? STEP : FIRST_STEP)
  useReveal(box, layout, items, keyOf, reveal)
  const over = interacted ? OVERSCAN : 0
  const shown = cellsWithin(layout, near.from - over, near.to + over)
  return (
    <div ref={box} className={styles.grid} style={{ height: layout.height }}>
      {layout.headings
        .filter(({ top }) => top < near.to + over && top + HEADING > near.from - over)
        .map(({ section, top }) => (
          <div key={sections?.[section]?.key ?? section} className={styles.heading} style={{ top, height: HEADING }}>
            {sections?.[section]?.heading}
          </div>
        ))}
      {/* biome-ignore lint/a11y/useSemanticElements: a list of cells that lie where they are placed. */}
      <div role="list" aria-label={label}>
        {shown.map(({ index, left, top, width, height }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            // biome-ignore lint/a11y/useSemanticElements: a list of absolutely placed cells.
            <div
              key={keyOf(item)}
              role="listitem"
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className={styles.cell}
              style={{ width, height, transform: `translate(${left}px, ${top}px)` }}
            >
              {render(item, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

type Box = React.RefObject<HTMLDivElement | null>

/** The width of the box and of the window. */
function usePlace(box: Box) {
  const [place, setPlace] = useState({ width: 0, window: 0 })
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () =>
      setPlace((old) => {
        const next = { width: node.clientWidth, window: window.innerWidth }
        return old.width === next.width && old.window === next.window ? old : next
      })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [box])
  return place
}

/** The visible range of the grid, in steps. */
function useNear(box: Box, layout: Layout, step: number) {
  const [near, setNear] = useState({ from: 0, to: 1000 })
  useLayoutEffect(() => {
    const update = () => {
      const node = box.current
      if (!node || layout.height === 0) return
      const above = -node.getBoundingClientRect().top
      const from = Math.floor(above / step) * step
      const to = Math.ceil((above + window.innerHeight) / step) * step
      setNear((old) => (old.from === from && old.to === to ? old : { from, to }))
    }
    update()
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', update)
    return () => {
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', update)
    }
  }, [box, layout, step])
  return near
}

function useReveal<T>(
  box: Box,
  layout: Layout,
  items: T[],
  keyOf: (item: T) => string,
  reveal: { key: string } | null | undefined,
) {
  const done = useRef<object | null>(null)
  useEffect(() => {
    const node = box.current
    if (!reveal || done.current === reveal || !node || layout.height === 0) return
    const index = items.findIndex((item) => keyOf(item) === reveal.key)
    const cell = layout.cells[index]
    if (!cell) return
    done.current = reveal
    const top = node.getBoundingClientRect().top + cell.top
    const inSight = top >= 60 && top + cell.height <= window.innerHeight
    if (!inSight) window.scrollTo({ top: window.scrollY + top - (window.innerHeight - cell.height) / 2 })
    // The cell may only be rendered in this frame.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const target = node.querySelector<HTMLElement>(
          `[aria-posinset="${index + 1}"] a, [aria-posinset="${index + 1}"] button`,
        )
        target?.focus({ preventScroll: true })
      }),
    )
  }, [box, layout, items, keyOf, reveal])
}
