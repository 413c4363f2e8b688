import type { Change } from './history'
import { EMPTY, type Mask, type Rect, TILE, unionRect } from './mask'

/** From this hardness on a brush has a sharp edge. */
export const HARD = 0.99

/** `pressure`, from 0 to 1, scales the brush. */
export type Segment = { x0: number; y0: number; x1: number; y1: number; pressure: number }

export type Brush = {
  /** Diameter in pixels of the picture. */
  size: number
  /** From 0 to 1: maximum coverage of the whole stroke. */
  opacity: number
  /** From 0 to 1: the fully covered part of the radius; the rest fades. */
  hardness: number
  erases: boolean
}

/** How much of a pixel a brush covers, from 0 to 1, at a squared distance from the stroke's path. */
function coverage(squared: number, radius: number, hardness: number): number {
  if (hardness >= HARD) return squared <= radius * radius ? 1 : 0
  if (squared >= radius * radius) return 0
  const core = hardness * radius
  if (squared <= core * core) return 1
  const t = (Math.sqrt(squared) - core) / (radius - core)
  return 1 - t * t * (3 - 2 * t)
}

/** A part of the whole, from 0 to 1, as a byte. */
export const toByte = (part: number): number => Math.round(255 * part)

/** The new value of a pixel under a stroke of this strength, from 0 to 255. */
export function blend(before: number, strength: number, erases: boolean): number {
  return erases
    ? before - Math.round((before * strength) / 255)
    : before + Math.round(((255 - before) * strength) / 255)
}

/** The radius under a pressure: at least half a pixel, so that lines have no gaps. */
const radiusOf = (size: number, pressure: number): number => Math.max(0.5, (size / 2) * pressure)

/**
 * One stroke: a layer above the mask as it was. Its strength at a pixel is the brush's coverage there times its opacity,
 * as a byte: the maximum over all segments, so a stroke that crosses itself is not darker. `wet` holds the strength of
 * each mask pixel and must be all 0; `dry` resets it.
 */
export class Stroke {
  private dirty = EMPTY

  constructor(
    private readonly mask: Mask,
    private readonly change: Change,
    private readonly wet: Uint8Array,
    readonly brush: Brush,
  ) {}

  /** Draws one segment and returns the rectangle that may have changed. */
  draw(segment: Segment): Rect {
    const { mask } = this
    const { y0, y1 } = segment
    const radius = radiusOf(this.brush.size, segment.pressure)
    const top = Math.max(0, Math.floor(Math.min(y0, y1) - radius))
    const bottom = Math.min(mask.height - 1, Math.ceil(Math.max(y0, y1) + radius))
    let left = mask.width
    let right = -1
    for (let y = top; y <= bottom; y += 1) {
      const span = spanOf(segment, radius, y + 0.5)
      if (!span) continue
      const from = Math.max(0, span.from)
      const to = Math.min(mask.width - 1, span.to)
      if (from > to) continue
      this.row(segment, radius, y, from, to)
      left = Math.min(left, from)
      right = Math.max(right, to)
    }
    if (right < left) return EMPTY
    const rect = { x: left, y: top, width: right - left + 1, height: bottom - top + 1 }
    this.dirty = unionRect(this.dirty, rect)
    return rect
  }

  /** Draws a part of one row, tile by tile. */
  private row({ x0, y0, x1, y1 }: Segment, radius: number, y: number, from: number, to: number): void {
    const { mask, wet, brush } = this
    const dx = x1 - x0
    const dy = y1 - y0
    const long = dx * dx + dy * dy
    const py = y + 0.5
    const reach = radius * radius
    const { hardness, opacity, erases } = brush
    const full = toByte(opacity)
    const tileRow = Math.floor(y / TILE) * mask.across
    for (let start = from; start <= to; ) {
      const column = Math.floor(start / TILE)
      const left = column * TILE
      const end = Math.min(to, left + TILE - 1)
      const before = this.change.touch(tileRow + column)
      const tileWidth = Math.min(TILE, mask.width - left)
      const inTile = (y % TILE) * tileWidth - left
      for (let x = start; x <= end; x += 1) {
        const at = y * mask.width + x
        const strongest = wet[at] as number
        if (strongest === full) continue
        const px = x + 0.5
        const along = long === 0 ? 0 : ((px - x0) * dx + (py - y0) * dy) / long
        const t = along < 0 ? 0 : along > 1 ? 1 : along
        const ex = px - (x0 + t * dx)
        const ey = py - (y0 + t * dy)
        const squared = ex * ex + ey * ey
        if (squared > reach) continue
        const strength = toByte(coverage(squared, radius, hardness) * opacity)
        if (strength <= strongest) continue
        wet[at] = strength
        mask.data[at] = blend(before[inTile + x] as number, strength, erases)
      }
      start = end + 1
    }
  }

  /** Ends the stroke and clears `wet`. */
  dry(): void {
    const { x, y, width, height } = this.dirty
    for (let row = y; row < y + height; row += 1) {
      const at = row * this.mask.width + x
      this.wet.fill(0, at, at + width)
    }
  }
}

/** The columns of a row that a segment may reach; an upper bound. */
function spanOf({ x0, y0, x1, y1 }: Segment, radius: number, py: number): { from: number; to: number } | null {
  const dy = y1 - y0
  let start = 0
  let end = 1
  if (Math.abs(dy) > 1e-9) {
    const a = (py - radius - y0) / dy
    const b = (py + radius - y0) / dy
    start = Math.max(0, Math.min(a, b))
    end = Math.min(1, Math.max(a, b))
    if (start > end) return null
  } else if (Math.abs(py - y0) > radius + 1) {
    return null
  }
  const a = x0 + start * (x1 - x0)
  const b = x0 + end * (x1 - x0)
  return { from: Math.floor(Math.min(a, b) - radius - 1), to: Math.ceil(Math.max(a, b) + radius + 1) }
}
