import type { FillResult } from './fill'
import { Change, History } from './history'
import { EMPTY, Mask, type Rect, TILE } from './mask'
import { Path, type Point } from './path'
import { type Brush, blend, type Segment, Stroke, toByte } from './stroke'

type CurrentStroke = { stroke: Stroke; path: Path; change: Change }

/** A mask that is being edited. `onChange` gets the rectangle that changed. */
export class Drawing {
  readonly mask: Mask
  readonly history: History
  segments: Segment[] = []
  private readonly wet: Uint8Array
  private under: CurrentStroke | null = null
  private lastEnd: Point | null = null
  private listeners = new Set<(changed: Rect) => void>()
  private savedPosition = 0

  constructor(width: number, height: number, initial?: Uint8Array) {
    this.mask = new Mask(width, height)
    if (initial) this.mask.data.set(initial)
    this.wet = new Uint8Array(width * height)
    this.history = new History(this.mask)
  }

  /** Whether it differs from what was opened or saved last. Undone changes do not count. */
  get isUnsaved(): boolean {
    return this.history.position !== this.savedPosition
  }

  get isDrawing(): boolean {
    return this.under !== null
  }

  noteSaved(): void {
    this.savedPosition = this.history.position
  }

  onChange(listener: (changed: Rect) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Begins a stroke. `straight` draws a line from the end of the previous stroke. */
  begin(point: Point, brush: Brush, smoothing: number, straight: boolean): void {
    this.end()
    const change = new Change(this.mask)
    const under = {
      change,
      path: new Path(smoothing, brush.size),
      stroke: new Stroke(this.mask, change, this.wet, brush),
    }
    this.under = under
    this.segments = []
    if (straight && this.lastEnd) {
      const { x, y } = this.lastEnd
      this.draw(under, [{ x0: x, y0: y, x1: point.x, y1: point.y, pressure: point.pressure }])
    }
    this.draw(under, under.path.to(point))
  }

  move(point: Point): void {
    if (this.under) this.draw(this.under, this.under.path.to(point))
  }

  private draw({ stroke }: CurrentStroke, segments: Segment[]): void {
    for (const segment of segments) {
      this.segments.push(segment)
      this.tell(stroke.draw(segment))
    }
  }

  end(): void {
    const { under } = this
    if (!under) return
    this.under = null
    this.lastEnd = under.path.end
    under.stroke.dry()
    this.commit(under.change, EMPTY)
  }

  cancel(): void {
    const { under } = this
    if (!under) return
    this.under = null
    under.stroke.dry()
    under.change.revert()
    this.tell(this.whole)
  }

  /** Fills or erases the filled area. */
  fill({ inside, rect }: FillResult, { opacity, erases }: Pick<Brush, 'opacity' | 'erases'>): void {
    const strength = toByte(opacity)
    this.change(rect, (value) => blend(value, strength, erases), inside)
  }

  clear(): void {
    this.change(this.whole, () => 0)
  }

  invert(): void {
    this.change(this.whole, (value) => 255 - value)
  }

  /** Changes each pixel of a rectangle that is `inside`, as one step. Results are precomputed for all 256 values. */
  private change(rect: Rect, next: (value: number) => number, inside?: Uint8Array): void {
    if (rect.width === 0) return
    const table = Uint8Array.from({ length: 256 }, (_, value) => next(value))
    this.end()
    const { mask } = this
    const { data } = mask
    const change = new Change(mask)
    const [left, right] = [Math.floor(rect.x / TILE), Math.floor((rect.x + rect.width - 1) / TILE)]
    const [top, bottom] = [Math.floor(rect.y / TILE), Math.floor((rect.y + rect.height - 1) / TILE)]
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) change.touch(row * mask.across + column)
    }
    for (let y = rect.y; y < rect.y + rect.height; y += 1) {
      const end = y * mask.width + rect.x + rect.width
      for (let at = y * mask.width + rect.x; at < end; at += 1) {
        if (inside === undefined || inside[at] !== 0) data[at] = table[data[at] as number] as number
      }
    }
    this.commit(change, rect)
  }

  undo(): void {
    this.step(() => this.history.undo())
  }

  redo(): void {
    this.step(() => this.history.redo())
  }

  private step(take: () => Rect): void {
    this.end()
    this.tell(take())
  }

  private commit(change: Change, changed: Rect): void {
    this.history.commit(change)
    this.tell(changed)
  }

  private get whole(): Rect {
    return { x: 0, y: 0, width: this.mask.width, height: this.mask.height }
  }

  private tell(changed: Rect): void {
    for (const listener of this.listeners) listener(changed)
  }
}
