/** Side of a tile in pixels; the history stores tiles. */
export const TILE = 64
const SHIFT = 6

/** Empty if a side is 0. */
export type Rect = { x: number; y: number; width: number; height: number }

export const EMPTY: Rect = { x: 0, y: 0, width: 0, height: 0 }

/** The bounding box of two rectangles. */
export function unionRect(a: Rect, b: Rect): Rect {
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

/** One byte for each pixel of a picture: 0 for nothing, 255 for fully masked. */
export class Mask {
  readonly data: Uint8Array
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
    return this.data.indexOf(255) === -1 && this.data.every((value) => value === 0)
  }

  /** The rectangle of a tile. Tiles at the right and bottom edge may be smaller. */
  tile(index: number): Rect {
    const x = (index % this.across) << SHIFT
    const y = Math.floor(index / this.across) << SHIFT
    return { x, y, width: Math.min(TILE, this.width - x), height: Math.min(TILE, this.height - y) }
  }

  /** Whether a tile has these bytes. */
  isTile(index: number, bytes: Uint8Array): boolean {
    const { x, y, width, height } = this.tile(index)
    for (let row = 0; row < height; row += 1) {
      const from = (y + row) * this.width + x
      for (let column = 0; column < width; column += 1) {
        if (this.data[from + column] !== bytes[row * width + column]) return false
      }
    }
    return true
  }

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
