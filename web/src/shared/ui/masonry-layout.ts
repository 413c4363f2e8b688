/** Columns, the pixels between them, and the widest that one may become. */
export type GridShape = { columns: number; gap: number; widest?: number }

/** The gallery's columns and gaps, as the specification gives them by the width of the window. */
export function gridShape(windowWidth: number): GridShape {
  if (windowWidth >= 2200) return { columns: 7, gap: 6 }
  if (windowWidth >= 1024) return { columns: 5, gap: 6 }
  return windowWidth >= 640 ? { columns: 3, gap: 6 } : { columns: 2, gap: 4 }
}

/** The same for the grids of a profile, whose cells the specification bounds. */
export function albumShape(windowWidth: number): GridShape {
  return windowWidth >= 640 ? { columns: 5, gap: 6, widest: 180 } : { columns: 2, gap: 4, widest: 180 }
}

/** How much of this width a grid takes. */
export const widthWithin = (width: number, { columns, gap, widest = Number.POSITIVE_INFINITY }: GridShape): number =>
  Math.min(width, columns * widest + gap * (columns - 1))

/** Where one item stands, in pixels from the top left of the grid. */
export type Cell = { index: number; left: number; top: number; width: number; height: number }
/** Where the heading of a section stands. */
export type Heading = { section: number; top: number }
export type Layout = { cells: Cell[]; headings: Heading[]; height: number; buckets: number[][] }

export type Section = { count: number; headed: boolean }
type Wish = { width: number; columns: number; gap: number; headingHeight: number }

/** Taller or wider pictures are cut to these, so that one of them cannot fill a screen. */
const TALLEST = 0.5
const WIDEST = 2
/** Cells are found again by stretches of this height. */
const BUCKET = 1200

const EMPTY: Layout = { cells: [], headings: [], height: 0, buckets: [] }

/**
 * Places every item in the shortest column, section by section. Heights come from the items' ratios (width by height),
 * so that all is known before any picture has arrived. A box without width, or without columns, has no cells: placing
 * them would ask for every picture at once.
 */
export function placeAll(sections: Section[], ratioOf: (index: number) => number, wish: Wish): Layout {
  const { width, columns, gap, headingHeight } = wish
  const cell = (width - gap * (columns - 1)) / columns
  if (!(cell > 0)) return EMPTY
  const cells: Cell[] = []
  const headings: Heading[] = []
  let bottom = 0
  let index = 0
  sections.forEach((section, number) => {
    let top = bottom
    if (section.headed) {
      headings.push({ section: number, top })
      top += headingHeight
    }
    const heights = new Array<number>(columns).fill(top)
    for (const end = index + section.count; index < end; index += 1) {
      let column = 0
      for (let other = 1; other < columns; other += 1) {
        if ((heights[other] ?? 0) < (heights[column] ?? 0) - 0.5) column = other
      }
      const height = Math.round(cell / Math.min(WIDEST, Math.max(TALLEST, ratioOf(index) || 1)))
      const at = heights[column] ?? top
      cells.push({ index, left: column * (cell + gap), top: at, width: cell, height })
      heights[column] = at + height + gap
    }
    bottom = Math.max(top, ...heights)
  })
  return { cells, headings, height: Math.max(0, bottom - gap), buckets: sorted(cells) }
}

function sorted(cells: Cell[]): number[][] {
  const buckets: number[][] = []
  for (const cell of cells) {
    const last = Math.floor((cell.top + cell.height) / BUCKET)
    for (let bucket = Math.floor(cell.top / BUCKET); bucket <= last; bucket += 1) {
      while (buckets.length <= bucket) buckets.push([])
      buckets[bucket]?.push(cell.index)
    }
  }
  return buckets
}

/** The cells that touch the stretch from `from` to `to`, in the order of the list. */
export function cellsWithin(layout: Layout, from: number, to: number): Cell[] {
  const found = new Set<number>()
  const last = Math.min(layout.buckets.length - 1, Math.floor(to / BUCKET))
  for (let bucket = Math.max(0, Math.floor(from / BUCKET)); bucket <= last; bucket += 1) {
    for (const index of layout.buckets[bucket] ?? []) found.add(index)
  }
  return [...found]
    .sort((a, b) => a - b)
    .map((index) => layout.cells[index])
    .filter((cell): cell is Cell => cell !== undefined && cell.top < to && cell.top + cell.height > from)
}
