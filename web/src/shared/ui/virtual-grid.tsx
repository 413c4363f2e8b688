import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

type VirtualGridProps<T> = {
  items: T[]
  keyOf: (item: T) => string
  render: (item: T, index: number) => ReactNode
  label: string
}

/** Columns and gaps of the specification, by the width of the window. */
export function gridShape(windowWidth: number): { columns: number; gap: number } {
  if (windowWidth >= 1024) return { columns: 5, gap: 6 }
  return windowWidth >= 640 ? { columns: 3, gap: 6 } : { columns: 2, gap: 4 }
}

/** A grid of squares of which only the visible rows exist. It scrolls with the page. */
export function VirtualGrid<T>({ items, keyOf, render, label }: VirtualGridProps<T>) {
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ width: 0, top: 0, window: 0 })
  useLayoutEffect(() => {
    const node = box.current
    if (!node) return
    const measure = () => {
      const rect = node.getBoundingClientRect()
      setPlace((old) => {
        const next = { width: node.clientWidth, top: Math.round(rect.top + window.scrollY), window: window.innerWidth }
        return old.width === next.width && old.top === next.top && old.window === next.window ? old : next
      })
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(node)
    return () => observer.disconnect()
  }, [])
  const { columns, gap } = gridShape(place.window)
  const cell = Math.max(0, (place.width - gap * (columns - 1)) / columns)
  // A box without width has no rows: computing them would ask for every picture at once.
  const rows = cell > 0 ? Math.ceil(items.length / columns) : 0
  const virtual = useWindowVirtualizer({
    count: rows,
    estimateSize: () => cell + gap,
    overscan: 3,
    scrollMargin: place.top,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: new sizes make the measured rows stale.
  useLayoutEffect(() => virtual.measure(), [cell, gap, columns])
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows stand between the list and its items.
    <div
      ref={box}
      role="list"
      aria-label={label}
      style={{ position: 'relative', height: Math.max(0, rows * (cell + gap) - gap) }}
    >
      {virtual.getVirtualItems().map((row) => (
        <div
          key={row.key}
          role="presentation"
          style={{
            position: 'absolute',
            insetInline: 0,
            top: 0,
            display: 'grid',
            gridTemplateColumns: `repeat(${columns}, 1fr)`,
            gap,
            height: cell,
            transform: `translateY(${row.start - place.top}px)`,
          }}
        >
          {items.slice(row.index * columns, (row.index + 1) * columns).map((item, column) => (
            // biome-ignore lint/a11y/useSemanticElements: rows stand between the list and its items.
            <div key={keyOf(item)} role="listitem" style={{ minWidth: 0, minHeight: 0 }}>
              {render(item, row.index * columns + column)}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
