import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useWoken } from '@/shared/lib/use-woken'
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
  /** Columns and gaps by the width of the window; the gallery's where they are left out. */
  shapeOf?: (windowWidth: number) => GridShape
  /** Parts of the list with headings of their own; their counts add up to the items. */
  sections?: (Section & { key: string; heading: ReactNode })[] | undefined
  /** Scrolls this item into sight and gives it the focus, once for each new value. */
  reveal?: { key: string } | null | undefined
}

const HEADING = 44
/** What is kept above and below the window, so that a quick wheel finds pictures there. */
const OVERSCAN = 900
/** The same before anybody has touched the page: what is in sight comes first. */
const FIRST_OVERSCAN = 200
/** The window is looked at in steps, so that most scroll events change nothing. */
const STEP = 200

/** Pictures of any shape in columns, of which only those near the window exist. It scrolls with the page. */
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
  const near = useNear(box, layout)
  useReveal(box, layout, items, keyOf, reveal)
  const over = useWoken() ? OVERSCAN : FIRST_OVERSCAN
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
            // biome-ignore lint/a11y/useSemanticElements: a list of cells that lie where they are placed.
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

/** The stretch of the grid that the window shows, in steps. */
function useNear(box: Box, layout: Layout) {
  const [near, setNear] = useState({ from: 0, to: 1000 })
  useLayoutEffect(() => {
    const look = () => {
      const node = box.current
      if (!node || layout.height === 0) return
      const above = -node.getBoundingClientRect().top
      const from = Math.floor(above / STEP) * STEP
      const to = Math.ceil((above + window.innerHeight) / STEP) * STEP
      setNear((old) => (old.from === from && old.to === to ? old : { from, to }))
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', look)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', look)
    }
  }, [box, layout])
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
    // The cell may come into being only now.
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
