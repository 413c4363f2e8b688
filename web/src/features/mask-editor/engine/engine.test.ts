import { describe, expect, it } from 'vitest'
import { Drawing } from './drawing'
import { fill } from './fill'
import { HISTORY_BYTES, STEPS } from './history'
import { Mask } from './mask'
import { pack, unpack } from './pack'
import { Path } from './path'
import { type Brush, HARD, type Segment } from './stroke'

const brush = (change: Partial<Brush> = {}): Brush => ({ size: 20, opacity: 1, hardness: 1, erases: false, ...change })

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** The naive reference: each pixel computes its distance to each segment. */
function reference(before: Uint8Array, width: number, segments: Segment[], { size, opacity, hardness, erases }: Brush) {
  return before.map((was, at) => {
    const px = (at % width) + 0.5
    const py = Math.floor(at / width) + 0.5
    let most = 0
    for (const { x0, y0, x1, y1, pressure } of segments) {
      const radius = Math.max(0.5, (size / 2) * pressure)
      const [dx, dy] = [x1 - x0, y1 - y0]
      const length = dx * dx + dy * dy
      const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - x0) * dx + (py - y0) * dy) / length))
      const squared = (px - x0 - t * dx) ** 2 + (py - y0 - t * dy) ** 2
      const share = (Math.sqrt(squared) - hardness * radius) / (radius - hardness * radius)
      const soft = share <= 0 ? 1 : share >= 1 ? 0 : 1 - share * share * (3 - 2 * share)
      most = Math.max(most, hardness >= HARD ? Number(squared <= radius * radius) : soft)
    }
    const strength = Math.round(255 * most * opacity)
    return erases ? was - Math.round((was * strength) / 255) : was + Math.round(((255 - was) * strength) / 255)
  })
}

function scribble(drawing: Drawing, next: () => number, how: Brush, smoothing = 100) {
  const spot = () => ({ x: next() * 150 - 10, y: next() * 120 - 10, pressure: how.size > 30 ? 1 : 0.4 + next() * 0.6 })
  drawing.begin(spot(), how, smoothing, false)
  for (let point = 0; point < 6; point += 1) drawing.move(spot())
  const { segments } = drawing
  drawing.end()
  return segments
}

/** The distance of a point from a segment. */
function distanceTo({ x0, y0, x1, y1 }: Segment, { x, y }: { x: number; y: number }): number {
  const [dx, dy] = [x1 - x0, y1 - y0]
  const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy || 1)))
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy)
}

describe('a stroke', () => {
  it('covers the same pixels as the naive reference, at every hardness', () => {
    const next = random(7)
    const drawing = new Drawing(130, 100)
    for (let hundredth = 0; hundredth <= 100; hundredth += 1) {
      const how = brush({
        hardness: hundredth / 100,
        size: 1 + next() * 60,
        opacity: next() < 0.5 ? 1 : next(),
        erases: next() < 0.3,
      })
      const before = drawing.mask.data.slice()
      const segments = scribble(drawing, next, how)
      const expected = reference(before, 130, segments, how)
      const wrong = expected.findIndex((value, at) => value !== drawing.mask.data[at])
      expect(wrong, `hardness ${how.hardness}: a pixel differs`).toBe(-1)
    }
  })

  it('has sharp edges with a hard brush, and is not darker where it crosses itself', () => {
    const drawing = new Drawing(100, 100)
    scribble(drawing, random(3), brush({ hardness: 0.99 }))
    expect(new Set(drawing.mask.data)).toEqual(new Set([0, 255]))
    const faint = new Drawing(100, 100)
    scribble(faint, random(3), brush({ opacity: 0.5 }))
    expect(new Set(faint.mask.data)).toEqual(new Set([0, 128]))
  })

  it('goes straight from the end of the previous one', () => {
    const drawing = new Drawing(100, 20)
    drawing.begin({ x: 5, y: 10, pressure: 1 }, brush({ size: 4 }), 100, false)
    drawing.begin({ x: 95, y: 10, pressure: 1 }, brush({ size: 4 }), 100, true)
    drawing.end()
    for (let x = 5; x < 95; x += 1) expect(drawing.mask.data[10 * 100 + x], `a gap at ${x}`).toBe(255)
  })

  it('leaves nothing when canceled', () => {
    const drawing = new Drawing(80, 80)
    drawing.begin({ x: 40, y: 40, pressure: 1 }, brush(), 100, false)
    drawing.move({ x: 60, y: 40, pressure: 1 })
    drawing.cancel()
    expect(drawing.mask.isEmpty).toBe(true)
    expect([drawing.history.canUndo, drawing.isUnsaved]).toEqual([false, false])
  })

  it('is curved with smoothing and straight without', () => {
    const corner = [
      { x: 0, y: 0, pressure: 1 },
      { x: 40, y: 0, pressure: 1 },
      { x: 40, y: 40, pressure: 1 },
    ]
    const pieces = (smoothing: number, size = 1) => {
      const path = new Path(smoothing, size)
      return corner.flatMap((point) => path.to(point))
    }
    expect(pieces(1)).toHaveLength(3)
    const smooth = pieces(100)
    expect(smooth.length).toBeGreaterThan(10)
    for (const { x, y } of corner) {
      expect(
        smooth.some(({ x1, y1 }) => x1 === x && y1 === y),
        `it misses ${x}, ${y}`,
      ).toBe(true)
    }
    expect(Math.max(...smooth.map(({ x1 }) => x1)), 'smoothing has no effect').toBeGreaterThan(40.5)
    // A large brush has fewer segments, which leave the curve by half a hundredth of its size at most; the other ones leave
    // it by a quarter of a pixel.
    const coarse = pieces(100, 200)
    expect(coarse.length).toBeLessThan(smooth.length)
    for (const { x0, y0, x1, y1 } of coarse) {
      const middle = { x: (x0 + x1) / 2, y: (y0 + y1) / 2 }
      expect(Math.min(...smooth.map((fine) => distanceTo(fine, middle)))).toBeLessThan(1 + 0.25)
    }
  })
})

describe('the history', () => {
  it('undoes and redoes up to 50 steps, byte by byte', () => {
    const next = random(11)
    const drawing = new Drawing(150, 130)
    const states = [drawing.mask.data.slice()]
    for (let step = 0; step < STEPS + 5; step += 1) {
      const how = { hardness: next(), opacity: 0.3 + next() * 0.7, size: 5 + next() * 40, erases: step % 2 === 1 }
      scribble(drawing, next, brush(how))
      states.push(drawing.mask.data.slice())
    }
    let taken = 0
    while (drawing.history.canUndo) {
      drawing.undo()
      taken += 1
      expect(drawing.mask.data, `step ${taken} back`).toEqual(states[states.length - 1 - taken])
    }
    expect(taken).toBe(50)
    while (drawing.history.canRedo) drawing.redo()
    expect(drawing.mask.data).toEqual(states.at(-1))
  })

  it('tells saved from unsaved by what is left of the steps', () => {
    const drawing = new Drawing(100, 100)
    scribble(drawing, random(1), brush())
    expect(drawing.isUnsaved).toBe(true)
    drawing.undo()
    expect(drawing.isUnsaved, 'everything is undone').toBe(false)
    drawing.redo()
    expect(drawing.isUnsaved).toBe(true)
    drawing.noteSaved()
    drawing.undo()
    expect(drawing.isUnsaved, 'a saved step is undone').toBe(true)
    drawing.redo()
    expect(drawing.isUnsaved).toBe(false)
    drawing.undo()
    scribble(drawing, random(2), brush())
    expect(drawing.isUnsaved, 'a step replaced the saved one').toBe(true)
    // The oldest steps are dropped and cannot be undone.
    const long = new Drawing(100, 100)
    for (let step = 0; step <= STEPS; step += 1) long.invert()
    while (long.history.canUndo) long.undo()
    expect(long.isUnsaved).toBe(true)
  })

  it('cannot redo after a new change', () => {
    const drawing = new Drawing(100, 100)
    scribble(drawing, random(1), brush())
    scribble(drawing, random(2), brush())
    drawing.undo()
    expect(drawing.history.canRedo).toBe(true)
    scribble(drawing, random(3), brush())
    expect(drawing.history.canRedo).toBe(false)
  })

  it('takes less than 400 MB for 50 steps over all of 4096 × 4096', () => {
    const drawing = new Drawing(4096, 4096)
    drawing.invert()
    drawing.invert()
    while (drawing.history.packFor(1000));
    // Every tile has one value, so a step over all of them takes little memory.
    expect(drawing.history.bytes).toBeLessThan(1 << 20)
    drawing.undo()
    drawing.undo()
    // Wide soft strokes compress badly: half of the picture each.
    const next = random(5)
    for (let step = 0; step < STEPS; step += 1) {
      drawing.begin({ x: 0, y: next() * 4096, pressure: 1 }, brush({ size: 200, hardness: 0 }), 100, false)
      for (let turn = 1; turn <= 2; turn += 1) drawing.move({ x: (turn % 2) * 4096, y: next() * 4096, pressure: 1 })
      drawing.end()
      expect(drawing.history.bytes, 'too many tiles are raw').toBeLessThan(HISTORY_BYTES)
    }
    while (drawing.history.packFor(1000));
    expect(drawing.history.bytes).toBeLessThanOrEqual(HISTORY_BYTES)
    expect(HISTORY_BYTES + 4 * 4096 * 4096).toBeLessThan(400 * 2 ** 20)
    let taken = 0
    while (drawing.history.canUndo) {
      drawing.undo()
      taken += 1
    }
    expect(taken).toBe(50)
    expect(drawing.mask.isEmpty).toBe(true)
  })

  it('packs and unpacks any tile unchanged', () => {
    const next = random(9)
    for (const values of [1, 2, 3, 256]) {
      for (const run of [1, 5, 300, 5000]) {
        const bytes = new Uint8Array(4096)
        for (let at = 0; at < bytes.length; ) {
          const end = at + Math.ceil(next() * run)
          bytes.fill(Math.floor(next() * values), at, end)
          at = end
        }
        const packed = pack(bytes)
        expect(unpack(packed, bytes.length)).toEqual(bytes)
        if (typeof packed !== 'number') expect(packed.length).toBeLessThanOrEqual(4097)
      }
    }
  })
})

describe('a fill', () => {
  it('equals the naive reference on noise, at any tolerance', () => {
    const next = random(21)
    for (let round = 0; round < 60; round += 1) {
      const width = 1 + Math.floor(next() * 40)
      const height = 1 + Math.floor(next() * 40)
      const pixels = new Uint32Array(width * height).map(() =>
        next() < 0.6 ? 0xff101010 : 0xff101010 + Math.floor(next() * 120),
      )
      const [x, y] = [Math.floor(next() * width), Math.floor(next() * height)]
      const tolerance = Math.floor(next() * 101)
      const target = (pixels[y * width + x] as number) & 255
      const alike = (at: number) => Math.abs(((pixels[at] as number) & 255) - target) <= tolerance
      const expected = new Uint8Array(width * height)
      const open = [[x, y] as [number, number]]
      for (let spot = open.pop(); spot; spot = open.pop()) {
        const [cx, cy] = spot
        const at = cy * width + cx
        if (cx < 0 || cy < 0 || cx >= width || cy >= height || expected[at] || !alike(at)) continue
        expected[at] = 255
        open.push([cx + 1, cy], [cx - 1, cy], [cx, cy + 1], [cx, cy - 1])
      }
      const { inside, rect } = fill(pixels, width, height, x, y, tolerance)
      expect(inside, `round ${round}`).toEqual(expected)
      expected.forEach((value, at) => {
        if (value === 0) return
        const [px, py] = [at % width, Math.floor(at / width)]
        const within = px >= rect.x && px < rect.x + rect.width && py >= rect.y && py < rect.y + rect.height
        expect(within, 'the rectangle misses a pixel').toBe(true)
      })
    }
  })

  it('draws and erases with the opacity of the brush, as one step', () => {
    const drawing = new Drawing(10, 10)
    const all = { inside: new Uint8Array(100).fill(255), rect: { x: 0, y: 0, width: 10, height: 10 } }
    drawing.fill(all, { opacity: 0.5, erases: false })
    expect(drawing.mask.data[0]).toBe(128)
    drawing.fill(all, { opacity: 1, erases: true })
    expect(drawing.mask.isEmpty).toBe(true)
    drawing.undo()
    expect(drawing.mask.data[99]).toBe(128)
  })
})

it('tiles at the edges are cut to the picture', () => {
  const mask = new Mask(70, 65)
  expect([mask.tiles, mask.tile(3)]).toEqual([4, { x: 64, y: 64, width: 6, height: 1 }])
  mask.data.forEach((_, at) => {
    mask.data[at] = at % 251
  })
  const copies = [0, 1, 2, 3].map((tile) => mask.copyTile(tile))
  const again = new Mask(70, 65)
  copies.forEach((copy, tile) => {
    again.putTile(tile, copy)
  })
  expect(again.data).toEqual(mask.data)
})
