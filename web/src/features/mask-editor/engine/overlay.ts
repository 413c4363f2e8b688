import type { Mask, Rect } from './mask'
import type { View } from './view'

/** The stage pixels that show a rectangle of the picture, with a margin of one pixel. */
export function onStage(rect: Rect, view: View, ratio: number, stage: { width: number; height: number }): Rect {
  const scale = view.scale * ratio
  const x = Math.max(0, Math.floor(view.x * ratio + rect.x * scale) - 1)
  const y = Math.max(0, Math.floor(view.y * ratio + rect.y * scale) - 1)
  const right = Math.min(stage.width, Math.ceil(view.x * ratio + (rect.x + rect.width) * scale) + 1)
  const bottom = Math.min(stage.height, Math.ceil(view.y * ratio + (rect.y + rect.height) * scale) + 1)
  return { x, y, width: Math.max(0, right - x), height: Math.max(0, bottom - y) }
}

/**
 * The mask in `area` (stage pixels) as RGBA: black, with the mask as alpha. When zoomed out, each stage pixel is the
 * mean of four samples.
 */
export function overlayOf(mask: Mask, area: Rect, view: View, ratio: number): Uint32Array<ArrayBuffer> {
  const { width, height, data } = mask
  const shown = new Uint32Array(area.width * area.height)
  const step = 1 / (view.scale * ratio)
  const left = (area.x - view.x * ratio) * step
  const top = (area.y - view.y * ratio) * step
  const [near, far] = step > 1 ? [0.25 * step, 0.75 * step] : [0.5 * step, 0.5 * step]
  const columns = new Int32Array(area.width * 2)
  for (let x = 0; x < area.width; x += 1) {
    const one = Math.floor(left + x * step + near)
    const two = Math.floor(left + x * step + far)
    columns[x * 2] = one < 0 || one >= width ? -1 : one
    columns[x * 2 + 1] = two < 0 || two >= width ? -1 : two
  }
  for (let y = 0; y < area.height; y += 1) {
    const one = Math.floor(top + y * step + near)
    const two = Math.floor(top + y * step + far)
    if (one < 0 || two >= height) continue
    const at = y * area.width
    for (let x = 0; x < area.width; x += 1) {
      const a = columns[x * 2] as number
      const b = columns[x * 2 + 1] as number
      if (a < 0 || b < 0) continue
      const sum =
        (data[one * width + a] as number) +
        (data[one * width + b] as number) +
        (data[two * width + a] as number) +
        (data[two * width + b] as number)
      shown[at + x] = (((sum + 2) >> 2) << 24) >>> 0
    }
  }
  return shown
}
