import { EMPTY, type Mask, type Rect, unionRect } from './mask'
import { type Packed, pack, sizeOf, unpack } from './pack'

/** Maximum number of undo steps. */
export const STEPS = 50
/** Maximum memory of the history; the oldest steps are dropped above it. */
export const HISTORY_BYTES = 320 * 2 ** 20

/** Tiles in their raw form that are kept at most; the oldest are packed at once above it. */
const RAW_BYTES = 64 * 2 ** 20

/** The tiles of a step as they were. Those in `raw` are packed later. The number stays through undo and redo. */
type Step = { number: number; tiles: Map<number, Packed>; raw: Map<number, Uint8Array>; bytes: number }

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
  private lastNumber = 0
  private droppedNumber = 0

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

  /** Names the state of the mask: it is the same number again after the steps since then are undone. */
  get position(): number {
    return this.past.at(-1)?.number ?? this.droppedNumber
  }

  get bytes(): number {
    return [...this.past, ...this.future].reduce((sum, step) => sum + step.bytes, 0)
  }

  /**
   * Adds a change as the latest step and clears the redo steps. A change without effect is no step. `packFor` packs it
   * later: packing all tiles of a large picture would hold up a frame.
   */
  commit(change: Change): void {
    const raw = new Map<number, Uint8Array>()
    let isChanged = false
    change.forEach((index, before) => {
      isChanged ||= !this.mask.isTile(index, before)
      raw.set(index, before)
    })
    if (!isChanged) return
    this.future = []
    this.lastNumber += 1
    this.past.push(step(this.lastNumber, raw))
    if (this.past.length > STEPS) this.dropOldest()
    this.bound()
  }

  /** Packs tiles for about this time. Returns whether some are left. */
  packFor(milliseconds: number): boolean {
    const end = performance.now() + milliseconds
    for (const one of this.steps()) {
      for (const index of one.raw.keys()) {
        packTile(one, index)
        if (performance.now() > end) return true
      }
    }
    this.trim()
    return false
  }

  private *steps(): Generator<Step> {
    yield* this.past
    yield* this.future
  }

  /** Keeps few raw tiles. */
  private bound(): void {
    let raw = 0
    for (const one of this.steps()) for (const bytes of one.raw.values()) raw += bytes.length
    for (const one of this.steps()) {
      if (raw <= RAW_BYTES) return
      for (const [index, bytes] of one.raw) {
        raw -= bytes.length
        packTile(one, index)
      }
    }
  }

  /** Drops the oldest steps above the limit. */
  private trim(): void {
    let { bytes } = this
    while (bytes > this.limitBytes && this.past.length > 1) bytes -= this.dropOldest()
  }

  /** Returns the memory that this frees. */
  private dropOldest(): number {
    const oldest = this.past.shift()
    if (!oldest) return 0
    this.droppedNumber = oldest.number
    return oldest.bytes
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
    const raw = new Map<number, Uint8Array>()
    let changed = EMPTY
    const restore = (index: number, bytes: (length: number) => Uint8Array) => {
      const rect = this.mask.tile(index)
      raw.set(index, this.mask.copyTile(index))
      this.mask.putTile(index, bytes(rect.width * rect.height))
      changed = unionRect(changed, rect)
    }
    for (const [index, packed] of latest.tiles) restore(index, (length) => unpack(packed, length))
    for (const [index, bytes] of latest.raw) restore(index, () => bytes)
    to.push(step(latest.number, raw))
    this.bound()
    return changed
  }
}

function step(number: number, raw: Map<number, Uint8Array>): Step {
  let bytes = 0
  for (const tile of raw.values()) bytes += sizeOf(tile)
  return { number, tiles: new Map(), raw, bytes }
}

function packTile(one: Step, index: number): void {
  const raw = one.raw.get(index)
  if (!raw) return
  const packed = pack(raw)
  one.raw.delete(index)
  one.tiles.set(index, packed)
  one.bytes += sizeOf(packed) - sizeOf(raw)
}
