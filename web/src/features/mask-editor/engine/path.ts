import type { Segment } from './stroke'

/** Where a pointer was, in pixels of the picture. */
export type Point = { x: number; y: number; pressure: number }

/** Pieces that a curve between two points is made of at most. */
const MOST_PIECES = 24
/** How long a piece is at least, in pixels of the picture. */
const PIECE = 2

/**
 * The way of a pointer as pieces of a stroke. `smoothing` goes from 1, where its points are joined by straight lines, to
 * 100, where the way bends through them. It never waits for the next point: what a hand draws is there at once.
 */
export class Path {
  private last: Point | null = null
  private way = { x: 0, y: 0 }
  private readonly bend: number

  constructor(smoothing: number) {
    this.bend = (Math.min(100, Math.max(1, smoothing)) - 1) / 99 / 2
  }

  /** The point that the way ends at. */
  get end(): Point | null {
    return this.last
  }

  /** Begins at a point, or goes on to it. */
  to(point: Point): Segment[] {
    const from = this.last
    this.last = point
    if (!from) return [{ x0: point.x, y0: point.y, x1: point.x, y1: point.y, pressure: point.pressure }]
    const chord = { x: point.x - from.x, y: point.y - from.y }
    const length = Math.hypot(chord.x, chord.y)
    if (length === 0) return []
    const next = { x: chord.x * this.bend, y: chord.y * this.bend }
    const before = this.way
    this.way = next
    const straight = this.bend === 0 || before.x * chord.y === before.y * chord.x
    const pieces = straight ? 1 : Math.max(1, Math.min(MOST_PIECES, Math.round(length / PIECE)))
    const segments: Segment[] = []
    let x0 = from.x
    let y0 = from.y
    for (let piece = 1; piece <= pieces; piece += 1) {
      const t = piece / pieces
      // A hermite curve: it leaves as the way came, and arrives straight.
      const [a, b, c] = [t * t * (3 - 2 * t), t * (1 - t) * (1 - t), t * t * (t - 1)]
      const last = piece === pieces
      const x1 = last ? point.x : from.x + chord.x * a + before.x * b + next.x * c
      const y1 = last ? point.y : from.y + chord.y * a + before.y * b + next.y * c
      const pressure = from.pressure + (point.pressure - from.pressure) * ((piece - 0.5) / pieces)
      segments.push({ x0, y0, x1, y1, pressure })
      x0 = x1
      y0 = y1
    }
    return segments
  }
}
