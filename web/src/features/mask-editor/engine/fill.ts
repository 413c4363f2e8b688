import { EMPTY, type Rect } from './mask'

/** What a fill reaches: 255 for each pixel that it does, and where these lie. */
export type Filled = { inside: Uint8Array; rect: Rect }

const INSIDE = 255
const ALIKE = 1

/**
 * The pixels that hang together with the one at `x`, `y` by their sides and have its colour. `tolerance`, from 0 to 100,
 * is how far each of red, green, blue and alpha (0 to 255) may be from it. `pixels` are RGBA as a canvas gives them.
 */
export function fill(
  pixels: Uint32Array,
  width: number,
  height: number,
  x: number,
  y: number,
  tolerance: number,
): Filled {
  const state = new Uint8Array(width * height)
  if (x < 0 || y < 0 || x >= width || y >= height) return { inside: state, rect: EMPTY }
  const wanted = pixels[y * width + x] as number
  const compared = new Uint8Array(height)
  const stack = new Spans()
  let [left, right, top, bottom] = [x, x, y, y]
  stack.push(y, x, x, 1)
  stack.push(y, x, x, -1)
  let first = true
  while (stack.pop()) {
    const { from, to, down } = stack
    // The row of the beginning is walked first; then each row beside one that was reached.
    const row = first ? y : stack.row + down
    if (row < 0 || row >= height) continue
    const base = row * width
    if (compared[row] === 0) {
      compared[row] = 1
      compare(pixels, state, base, base + width, wanted, tolerance)
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
        // What hangs over the span that it was reached from may go back.
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

/** Marks what is alike. Neighbours often have the same colour: it is compared once. */
function compare(
  pixels: Uint32Array,
  state: Uint8Array,
  start: number,
  end: number,
  wanted: number,
  most: number,
): void {
  const [r, g, b, a] = [wanted & 255, (wanted >>> 8) & 255, (wanted >>> 16) & 255, wanted >>> 24]
  let last = wanted
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

/** Spans that were reached, and the side on which to go on from each: a stack without an object for each. */
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
