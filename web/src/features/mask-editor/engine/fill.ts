import { EMPTY, type Rect } from './mask'

/** The filled area: 255 for each pixel in it, and its bounds. */
export type FillResult = { inside: Uint8Array; rect: Rect }

const INSIDE = 255
const ALIKE = 1

/**
 * Flood fill: the 4-connected pixels that have the colour at `x`, `y`. `tolerance`, from 0 to 100, is the allowed
 * difference per channel (0 to 255). `pixels` are RGBA as a canvas returns them.
 */
export function fill(
  pixels: Uint32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  tolerance: number,
): FillResult {
  const state = new Uint8Array(width * height)
  if (x < 0 || y < 0 || x >= width || y >= height) return { inside: state, rect: EMPTY }
  const target = pixels[y * width + x] as number
  const compared = new Uint8Array(height)
  const stack = new Spans()
  let [left, right, top, bottom] = [x, x, y, y]
  stack.push(y, x, x, 1)
  stack.push(y, x, x, -1)
  let first = true
  while (stack.pop()) {
    const { from, to, down } = stack
    // Scans the start row first, then each row next to a filled span.
    const row = first ? y : stack.row + down
    if (row < 0 || row >= height) continue
    const base = row * width
    if (compared[row] === 0) {
      compared[row] = 1
      compare(pixels, state, base, base + width, target, tolerance)
    }
    for (let at = from; at <= to; at += 1) {
      if (state[base + at] !== ALIKE) continue
      let begin = at
      while (begin > 0 && state[base + begin - 1] === ALIKE) begin -= 1
      let end = at
      while (end + 1 < width && state[base + end + 1] === ALIKE) end += 1
      state.fill(INSIDE, base + begin, base + end + 1)
      if (begin < left) left = begin
      if (end > right) right = end
      if (row < top) top = row
      if (row > bottom) bottom = row
      if (first) {
        stack.push(row, begin, end, -1)
        stack.push(row, begin, end, 1)
      } else {
        stack.push(row, begin, end, down)
        // Parts beyond the span that led here may continue in the opposite direction.
        if (begin < from) stack.push(row, begin, from - 1, -down)
        if (end > to) stack.push(row, to + 1, end, -down)
      }
      at = end
    }
    first = false
  }
  for (let i = 0; i < state.length; i += 1) if (state[i] === ALIKE) state[i] = 0
  return { inside: state, rect: { x: left, y: top, width: right - left + 1, height: bottom - top + 1 } }
}

/** Marks pixels of a similar colour. Caches the last result, as neighbours often have the same colour. */
function compare(
  pixels: Uint32Array,
  state: Uint8Array,
  start: number,
  end: number,
  target: number,
  most: number,
): void {
  const [r, g, b, a] = [target & 255, (target >>> 8) & 255, (target >>> 16) & 255, target >>> 24]
  let last = target
  let verdict = ALIKE
  for (let i = start; i < end; i += 1) {
    const colour = pixels[i] as number
    if (colour !== last) {
      last = colour
      const alike =
        Math.abs((colour & 255) - r) <= most &&
        Math.abs(((colour >>> 8) & 255) - g) <= most &&
        Math.abs(((colour >>> 16) & 255) - b) <= most &&
        Math.abs((colour >>> 24) - a) <= most
      verdict = alike ? ALIKE : 0
    }
    state[i] = verdict
  }
}

/** A stack of spans and directions, in a typed array to avoid allocations. */
class Spans {
  row = 0
  from = 0
  to = 0
  down = 0
  private kept = new Int32Array(4096)
  private length = 0

  push(row: number, from: number, to: number, down: number): void {
    if (this.length + 4 > this.kept.length) {
      const larger = new Int32Array(this.kept.length * 2)
      larger.set(this.kept)
      this.kept = larger
    }
    this.kept[this.length] = row
    this.kept[this.length + 1] = from
    this.kept[this.length + 2] = to
    this.kept[this.length + 3] = down
    this.length += 4
  }

  pop(): boolean {
    if (this.length === 0) return false
    this.length -= 4
    this.row = this.kept[this.length] as number
    this.from = this.kept[this.length + 1] as number
    this.to = this.kept[this.length + 2] as number
    this.down = this.kept[this.length + 3] as number
    return true
  }
}
