/** The columns, the gap in pixels and the maximum cell width. */
export type GridShape = { columns: number; gap: number; widest?: number }

/** The columns and gaps of the gallery by window width, from the specification. */
export function gridShape(windowWidth: number): GridShape {
  if (windowWidth >= 2200) return { columns: 7, gap: 6 }
  if (windowWidth >= 1024) return { columns: 5, gap: 6 }
  return windowWidth >= 640 ? { columns: 3, gap: 6 } : { columns: 2, gap: 4 }
}

/** The same for the grids of a profile, whose cells the specification limits. */
export function albumShape(windowWidth: number): GridShape {
  return windowWidth >= 640 ? { columns: 5, gap: 6, widest: 180 } : { columns: 2, gap: 4, widest: 180 }
}

/** The width that a grid takes within `width`. */
export const widthWithin = (width: number, { columns, gap, widest = Number.POSITIVE_INFINITY }: GridShape): number =>
  Math.min(width, columns * widest + gap * (columns - 1))

/** The place of an item, in pixels from the top left of the grid. */
export type Cell = { index: number; left: number; top: number; width: number; height: number }
/** The place of a section's heading. */
export type Heading = { section: number; top: number }
export type Layout = { cells: Cell[]; headings: Heading[]; height: number; buckets: number[][] }

export type Section = { count: number; headed: boolean }
type Grid = { width: number; columns: number; gap: number; headingHeight: number }

/** Pictures are cropped to these ratios, so that none of them fills the screen. */
const TALLEST = 0.5
const WIDEST = 2
/** Height of the buckets by which cells are looked up. */
const BUCKET = 1200

const EMPTY: Layout = { cells: [], headings: [], height: 0, buckets: [] }

/**
 * Places every item in the shortest column, section by section. Heights follow from the ratios (width by height), so no
 * picture has to load first. A box without width or columns has no cells: placing them would request every picture at
 * once.
 */
export function placeAll(sections: Section[], ratioOf: (index: number) => number, grid: Grid): Layout {
  const { width, columns, gap, headingHeight } = grid
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

/** The cells between `from` and `to`, in list order. */
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
