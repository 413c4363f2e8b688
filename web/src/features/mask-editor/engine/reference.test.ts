import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Drawing } from './drawing'
import { encodeMask } from './png'

/**
 * The rule of strokes, as it is written for users: a brush is a disc. Its middle part, as wide as the hardness says, is
 * covered fully; from there to the edge the coverage falls along the curve 3t² - 2t³. From a hardness of 0.99 on the
 * edge is sharp. The opacity scales the coverage. Within one stroke the strongest coverage counts. A stroke lies as a
 * layer of 256 levels above the mask before it; an eraser takes the same share away. The saved picture is black and
 * transparent where masked, white and opaque elsewhere.
 *
 * The rasteriser below computes that in floating point, pixel by pixel, with nothing of the engine.
 */
type Point = { x: number; y: number }
type Drawn = { points: Point[]; size: number; hardness: number; opacity: number; erases?: boolean }

const WIDTH = 90
const HEIGHT = 70

function distance(at: Point, from: Point, to: Point): number {
  const along = { x: to.x - from.x, y: to.y - from.y }
  const length = Math.hypot(along.x, along.y)
  if (length === 0) return Math.hypot(at.x - from.x, at.y - from.y)
  const share = ((at.x - from.x) * along.x + (at.y - from.y) * along.y) / length ** 2
  const near = Math.min(1, Math.max(0, share))
  return Math.hypot(at.x - from.x - near * along.x, at.y - from.y - near * along.y)
}

function covered(far: number, { size, hardness }: Drawn): number {
  const radius = Math.max(size / 2, 0.5)
  if (hardness >= 0.99) return far <= radius ? 1 : 0
  const t = (far / radius - hardness) / (1 - hardness)
  if (t <= 0) return 1
  return t >= 1 ? 0 : 1 - (3 * t ** 2 - 2 * t ** 3)
}

function rasterise(strokes: Drawn[]): number[] {
  const pixels: number[] = []
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const at = { x: x + 0.5, y: y + 0.5 }
      let value = 0
      for (const drawn of strokes) {
        const { points, opacity, erases } = drawn
        const far = points.map((point, index) => distance(at, points[index - 1] ?? point, point))
        const layer = Math.round(255 * opacity * covered(Math.min(...far), drawn)) / 255
        value += erases ? -Math.round(value * layer) : Math.round((255 - value) * layer)
      }
      pixels.push(255 - value)
    }
  }
  return pixels.flatMap((light) => [light, light, light, light])
}

const bytesOf = (blob: Blob) =>
  new Promise<Buffer>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(Buffer.from(reader.result as ArrayBuffer))
    reader.readAsArrayBuffer(blob)
  })

/** The RGBA bytes of a PNG whose rows are not filtered. */
function decode(png: Buffer): number[] {
  expect([png.readUInt32BE(16), png.readUInt32BE(20), ...png.subarray(24, 29)]).toEqual([WIDTH, HEIGHT, 8, 6, 0, 0, 0])
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const rows = inflateSync(Buffer.concat(data))
  const pixels: number[] = []
  for (let y = 0; y < HEIGHT; y += 1) {
    const start = y * (WIDTH * 4 + 1)
    expect(rows[start], 'a row has a filter').toBe(0)
    pixels.push(...rows.subarray(start + 1, start + 1 + WIDTH * 4))
  }
  return pixels
}

/** Draws with the pointer at these points, unsmoothed, and returns the pixels of the saved file. */
async function saved(strokes: Drawn[]): Promise<number[]> {
  const drawing = new Drawing(WIDTH, HEIGHT)
  for (const { points, size, hardness, opacity, erases = false } of strokes) {
    const [first, ...rest] = points.map((point) => ({ ...point, pressure: 1 }))
    if (!first) throw new Error('a stroke has no point')
    drawing.begin(first, { size, hardness, opacity, erases }, 1, false)
    for (const point of rest) drawing.move(point)
    drawing.end()
  }
  return decode(await bytesOf(await encodeMask(drawing.mask.data, WIDTH, HEIGHT)))
}

const differences = (a: number[], b: number[]) => a.filter((value, index) => value !== b[index]).length

const HARDNESS = [0, 0.25, 0.5, 0.75, 0.9, 0.98, 0.99, 1]
const SIZES = [1, 2, 5, 17, 50, 200]
const OPACITIES = [0.01, 0.3, 0.5, 0.77, 1]
const TABLE = HARDNESS.flatMap((hardness) =>
  SIZES.flatMap((size) => OPACITIES.map((opacity) => ({ hardness, size, opacity }))),
)
/** Off the pixel grid, with a corner, and with an end beyond the edge. */
const CORNER: Point[] = [
  { x: 21.3, y: 12.8 },
  { x: 63.7, y: 37.1 },
  { x: 30.2, y: 81.6 },
]

describe('the saved mask equals the written rule', () => {
  it('has cases for every hardness, size and opacity', () => expect(TABLE.length).toBe(240))

  it.each(TABLE)('for a stroke of hardness $hardness, size $size and opacity $opacity', async (brush) => {
    const strokes = [{ points: CORNER, ...brush }]
    expect(differences(await saved(strokes), rasterise(strokes))).toBe(0)
  })

  it.each(TABLE.filter(({ opacity }) => opacity !== 1))(
    'for an eraser of hardness $hardness, size $size and opacity $opacity across two strokes',
    async (brush) => {
      const soft = { size: 40, hardness: 0.2, opacity: 0.6 }
      const strokes = [
        { points: CORNER, ...soft },
        {
          points: [
            { x: 5, y: 60 },
            { x: 85, y: 9.5 },
          ],
          ...soft,
        },
        {
          points: [
            { x: 2.5, y: 20 },
            { x: 88, y: 44.4 },
          ],
          ...brush,
          erases: true,
        },
      ]
      expect(differences(await saved(strokes), rasterise(strokes))).toBe(0)
    },
  )

  it('for a click', async () => {
    const strokes = [{ points: [{ x: 40.5, y: 30.25 }], size: 31, hardness: 0.4, opacity: 0.9 }]
    const pixels = await saved(strokes)
    expect(differences(pixels, rasterise(strokes))).toBe(0)
    expect(new Set(pixels).size, 'the edge is not soft').toBeGreaterThan(50)
  })
})
