import { around, EMPTY, type Mask, type Rect } from './mask'
import { type Packed, pack, sizeOf, unpack } from './pack'

/** Steps that can be taken back. */
export const STEPS = 50
/** What they may take together; the oldest go where they take more. */
export const HISTORY_BYTES = 320 * 2 ** 20

/** Tiles of the mask as they were, by their numbers. */
type Step = { tiles: Map<number, Packed>; bytes: number }

/** One change of the mask while it is made: tiles are copied before they are first touched. */
export class Change {
  private readonly before: (Uint8Array | undefined)[]

  constructor(private readonly mask: Mask) {
    this.before = new Array(mask.tiles)
  }

  /** The tile as it was before this change, row by row. Ask before writing into it. */
  touch(index: number): Uint8Array {
    const known = this.before[index]
    if (known) return known
    const copy = this.mask.copyTile(index)
    this.before[index] = copy
    return copy
  }

  /** Calls with each tile that was touched. */
  forEach(visit: (index: number, before: Uint8Array) => void): void {
    this.before.forEach((before, index) => {
      if (before) visit(index, before)
    })
  }

  /** Takes it back as if it had not been. */
  revert(): void {
    this.forEach((index, before) => {
      this.mask.putTile(index, before)
    })
  }
}

/** What was done to a mask, step by step, as the tiles that each step changed. */
export class History {
  private past: Step[] = []
  private future: Step[] = []

  constructor(
    private readonly mask: Mask,
    private readonly limitBytes = HISTORY_BYTES,
  ) {}

  get canUndo(): boolean {
    return this.past.length > 0
  }

  get canRedo(): boolean {
    return this.future.length > 0
  }

  /** Bytes that it takes. */
  get bytes(): number {
    return [...this.past, ...this.future].reduce((sum, step) => sum + step.bytes, 0)
  }

  /** Keeps a change as the latest step, and forgets what was taken back before. Tells whether anything changed. */
  commit(change: Change): boolean {
    const tiles = new Map<number, Packed>()
    change.forEach((index, before) => {
      if (!same(before, this.mask.copyTile(index))) tiles.set(index, pack(before))
    })
    if (tiles.size === 0) return false
    this.future = []
    this.past.push(step(tiles))
    if (this.past.length > STEPS) this.past.shift()
    let bytes = this.bytes
    while (bytes > this.limitBytes && this.past.length > 1) bytes -= this.past.shift()?.bytes ?? 0
    return true
  }

  /** Takes the latest step back; gives the rectangle that changed. */
  undo(): Rect {
    return this.swap(this.past, this.future)
  }

  redo(): Rect {
    return this.swap(this.future, this.past)
  }

  private swap(from: Step[], to: Step[]): Rect {
    const latest = from.pop()
    if (!latest) return EMPTY
    const tiles = new Map<number, Packed>()
    let changed = EMPTY
    for (const [index, before] of latest.tiles) {
      const rect = this.mask.tile(index)
      tiles.set(index, pack(this.mask.copyTile(index)))
      this.mask.putTile(index, unpack(before, rect.width * rect.height))
      changed = around(changed, rect)
    }
    to.push(step(tiles))
    return changed
  }
}

function step(tiles: Map<number, Packed>): Step {
  let bytes = 0
  for (const packed of tiles.values()) bytes += sizeOf(packed)
  return { tiles, bytes }
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false
  return true
}
