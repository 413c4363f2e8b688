import type { Segment } from './stroke'

/** A pointer position in pixels of the picture. */
export type Point = { x: number; y: number; pressure: number }

/** Maximum segments of a curve between two points. */
const MOST_PIECES = 24
/** Minimum length of a segment in pixels of the picture. */
const PIECE = 2
/** How far segments may leave the curve, as a part of the brush's size: each segment costs a whole brush. */
const DEVIATION_OF_BRUSH = 1 / 200
const MIN_DEVIATION = 0.25

/**
 * The path of a pointer as segments. `smoothing` goes from 1 (straight lines between points) to 100 (curves through
 * them). It never waits for the next point, so drawing has no delay. `size` is the brush's diameter.
 */
export class Path {
  private last: Point | null = null
  private way = { x: 0, y: 0 }
  private readonly bend: number
  private readonly deviation: number

  constructor(smoothing: number, size: number) {
    this.deviation = Math.max(MIN_DEVIATION, size * DEVIATION_OF_BRUSH)
    this.bend = (Math.min(100, Math.max(1, smoothing)) - 1) / 99 / 2
  }

  get end(): Point | null {
    return this.last
  }

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
    const needed = Math.min(length / PIECE, Math.sqrt(secondDerivative(chord, before, next) / 8 / this.deviation))
    const pieces = straight ? 1 : Math.max(1, Math.min(MOST_PIECES, Math.round(needed)))
    const segments: Segment[] = []
    let x0 = from.x
    let y0 = from.y
    for (let piece = 1; piece <= pieces; piece += 1) {
      const t = piece / pieces
      // A Hermite curve: starts in the current direction and arrives straight.
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

type Vector = { x: number; y: number }

/** The largest second derivative of a Hermite curve, which is at one of its ends. */
function secondDerivative(chord: Vector, start: Vector, end: Vector): number {
  const first = Math.hypot(6 * chord.x - 4 * start.x - 2 * end.x, 6 * chord.y - 4 * start.y - 2 * end.y)
  const last = Math.hypot(6 * chord.x - 2 * start.x - 4 * end.x, 6 * chord.y - 2 * start.y - 4 * end.y)
  return Math.max(first, last)
}
