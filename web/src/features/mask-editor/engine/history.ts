import { EMPTY, type Mask, type Rect, unionRect } from './mask'
import { type Packed, pack, sizeOf, unpack } from './pack'

/** Maximum number of undo steps. */
export const STEPS = 50
/** Maximum memory of the history; the oldest steps are dropped above it. */
export const HISTORY_BYTES = 320 * 2 ** 20

type Step = { tiles: Map<number, Packed>; bytes: number }

/** A change in progress: copies tiles before their first modification. */
export class Change {
  private readonly before: (Uint8Array | undefined)[]

  constructor(private readonly mask: Mask) {
    this.before = new Array(mask.tiles)
  }

  /** The tile before this change. Call it before writing to the tile. */
  touch(index: number): Uint8Array {
    const known = this.before[index]
    if (known) return known
    const copy = this.mask.copyTile(index)
    this.before[index] = copy
    return copy
  }

  forEach(visit: (index: number, before: Uint8Array) => void): void {
    this.before.forEach((before, index) => {
      if (before) visit(index, before)
    })
  }

  revert(): void {
    this.forEach((index, before) => {
      this.mask.putTile(index, before)
    })
  }
}

/** Undo and redo, as the tiles that each step changed. */
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

  get bytes(): number {
    return [...this.past, ...this.future].reduce((sum, step) => sum + step.bytes, 0)
  }

  /** Adds a change as the latest step and clears the redo steps. Returns whether anything changed. */
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

  /** Undoes the latest step and returns the changed rectangle. */
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
      changed = unionRect(changed, rect)
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
