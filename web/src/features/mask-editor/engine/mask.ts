/** Sides of a tile in pixels: what is remembered of a mask is remembered in tiles. */
export const TILE = 64
const SHIFT = 6

/** Pixels from `x`, `y` on; nothing where a side is 0. */
export type Rect = { x: number; y: number; width: number; height: number }

export const EMPTY: Rect = { x: 0, y: 0, width: 0, height: 0 }

/** The smallest rectangle around two. */
export function around(a: Rect, b: Rect): Rect {
  if (a.width === 0 || a.height === 0) return b
  if (b.width === 0 || b.height === 0) return a
  const x = Math.min(a.x, b.x)
  const y = Math.min(a.y, b.y)
  return {
    x,
    y,
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  }
}

/** What is drawn on a picture: one byte for each of its pixels, 0 for nothing and 255 for all. */
export class Mask {
  readonly data: Uint8Array
  /** Tiles in a row. */
  readonly across: number
  readonly tiles: number

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.data = new Uint8Array(width * height)
    this.across = (width + TILE - 1) >> SHIFT
    this.tiles = this.across * ((height + TILE - 1) >> SHIFT)
  }

  get isEmpty(): boolean {
    return this.data.every((value) => value === 0)
  }

  /** Where a tile lies. Those at the right and at the bottom may be smaller. */
  tile(index: number): Rect {
    const x = (index % this.across) << SHIFT
    const y = Math.floor(index / this.across) << SHIFT
    return { x, y, width: Math.min(TILE, this.width - x), height: Math.min(TILE, this.height - y) }
  }

  /** The bytes of a tile, row by row. */
  copyTile(index: number): Uint8Array {
    const { x, y, width, height } = this.tile(index)
    const copy = new Uint8Array(width * height)
    for (let row = 0; row < height; row += 1) {
      const from = (y + row) * this.width + x
      copy.set(this.data.subarray(from, from + width), row * width)
    }
    return copy
  }

  putTile(index: number, bytes: Uint8Array): void {
    const { x, y, width, height } = this.tile(index)
    for (let row = 0; row < height; row += 1) {
      this.data.set(bytes.subarray(row * width, (row + 1) * width), (y + row) * this.width + x)
    }
  }
}
