import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { albumShape, cellsWithin, gridShape, placeAll, widthWithin } from './masonry-layout'

const grid = { width: 1024, columns: 5, gap: 6, headingHeight: 40 }
const many = (count: number, headed = false) => [{ count, headed }]

describe('the grid of pictures', () => {
  it.each([
    [1440, 5, 6],
    [1024, 5, 6],
    [1023, 3, 6],
    [640, 3, 6],
    [639, 2, 4],
  ])('is at a width of %i px of %i columns with gaps of %i', (width, columns, gap) => {
    expect(gridShape(width)).toEqual({ columns, gap })
  })

  it.each([
    [1440, 1136, 5, 924],
    [800, 752, 5, 752],
    [640, 592, 5, 592],
    [639, 607, 2, 364],
    [390, 358, 2, 358],
  ])(
    'is on a profile, at a width of %i px with %i of them free, of %i columns within %i',
    (page, free, columns, taken) => {
      const shape = albumShape(page)
      expect(shape.columns).toBe(columns)
      expect(widthWithin(free, shape)).toBe(taken)
      expect(widthWithin(free, gridShape(page))).toBe(free)
    },
  )

  it('knows all heights before pictures load, and no two overlap', () => {
    const ratios = [1, 0.75, 1.5, 9 / 16, 16 / 9, 1, 2 / 3, 1.25]
    const { cells, height } = placeAll(many(200), (index) => ratios[index % ratios.length] ?? 1, grid)
    expect(cells).toHaveLength(200)
    for (const a of cells) {
      for (const b of cells) {
        if (a.index >= b.index || a.left !== b.left) continue
        expect(b.top).toBeGreaterThanOrEqual(a.top + a.height + grid.gap)
      }
      expect(a.top + a.height).toBeLessThanOrEqual(height)
    }
  })

  it('crops extreme ratios', () => {
    const { cells } = placeAll(many(2), (index) => (index === 0 ? 0.01 : 100), grid)
    const [tall, wide] = cells
    expect(tall && wide && tall.height / tall.width).toBeCloseTo(2, 1)
    expect(wide && wide.height / wide.width).toBeCloseTo(0.5, 1)
  })

  it('places nothing in a box without width', () => {
    for (const width of [0, -5, Number.NaN]) {
      expect(placeAll(many(10_000), () => 1, { ...grid, width }).cells).toHaveLength(0)
    }
  })

  it('finds exactly the cells of a range among ten thousand, in order', () => {
    const layout = placeAll(many(10_000), (index) => 0.6 + (index % 7) / 5, grid)
    const [from, to] = [50_000, 51_000]
    const slow = layout.cells.filter((cell) => cell.top < to && cell.top + cell.height > from).map((c) => c.index)
    const found = cellsWithin(layout, from, to).map((cell) => cell.index)
    expect(found).toEqual(slow)
    expect(found.length).toBeLessThan(60)
  })

  it('starts each section below the previous one, under its heading', () => {
    const { cells, headings } = placeAll([...many(3, true), ...many(4, true)], () => 1, grid)
    expect(headings.map((heading) => heading.section)).toEqual([0, 1])
    const endOfFirst = Math.max(...cells.slice(0, 3).map((cell) => cell.top + cell.height))
    expect(headings[1]?.top).toBeGreaterThanOrEqual(endOfFirst)
    expect(cells[3]?.top).toBe((headings[1]?.top ?? 0) + 40)
  })
})

it('wide screens have more columns', () => {
  expect(gridShape(2560).columns).toBeGreaterThan(gridShape(1920).columns)
  const tokens = readFileSync('src/shared/theme/tokens.css', 'utf8')
  const widest = [...tokens.matchAll(/--widest: (\d+)px/g)].map(([, width]) => Number(width))
  expect(Math.max(...widest)).toBeGreaterThan(2200)
})
