import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { Mask } from './mask'
import { onStage, overlayOf } from './overlay'
import { encodeMask } from './png'
import { MAX_ZOOM, MIN_ZOOM, opening, pinchZoom, wheelFactor, zoomAt } from './view'

it('the PNG of a mask is transparent black where drawn and opaque white elsewhere', async () => {
  const mask = Uint8Array.from([0, 255, 100, 1, 254, 128])
  const blob = await encodeMask(mask, 3, 2)
  const bytes = await new Promise<Buffer>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(Buffer.from(reader.result as ArrayBuffer))
    reader.readAsArrayBuffer(blob)
  })
  expect([...bytes.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10])
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25]]).toEqual([3, 2, 8, 6])
  const data: Buffer[] = []
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, at + 8 + size))
    at += size + 12
  }
  const rows = inflateSync(Buffer.concat(data))
  const pixel = (value: number) => [value, value, value, value]
  expect([...rows]).toEqual([0, ...[255, 0, 155].flatMap(pixel), 0, ...[254, 1, 127].flatMap(pixel)])
})

it('zooming keeps the point under the pointer, from 10 % to 2000 %', () => {
  const view = { scale: 1, x: 30, y: -20 }
  const next = zoomAt(view, 1.1, 200, 100)
  expect(next.x + ((200 - view.x) / view.scale) * next.scale).toBeCloseTo(200)
  expect(next.y + ((100 - view.y) / view.scale) * next.scale).toBeCloseTo(100)
  expect([zoomAt(view, 1e9, 0, 0).scale, zoomAt(view, 0, 0, 0).scale]).toEqual([MAX_ZOOM, MIN_ZOOM])
  expect([MIN_ZOOM, MAX_ZOOM]).toEqual([0.1, 20])
})

it('a wheel notch is a factor of 1.1, and touchpads zoom in smaller steps', () => {
  expect(wheelFactor(-100, 0)).toBeCloseTo(1.1)
  expect(wheelFactor(100, 0)).toBeCloseTo(1 / 1.1)
  expect(wheelFactor(-3, 1)).toBeCloseTo(1.1)
  expect(wheelFactor(-4, 0)).toBeLessThan(1.01)
})

it('phones open a picture at 0.3, other devices fit it', () => {
  const [picture, stage] = [
    { width: 2000, height: 1000 },
    { width: 1000, height: 800 },
  ]
  expect(opening(picture, stage, true)).toEqual({ scale: 0.3, x: 200, y: 250 })
  expect(opening(picture, stage, false).scale).toBeCloseTo(0.47)
  expect(opening({ width: 100, height: 100 }, stage, false).scale, 'a small picture was made larger').toBe(1)
})

it('two fingers pan and zoom around their centre', () => {
  const view = { scale: 1, x: 0, y: 0 }
  const next = pinchZoom(
    view,
    [
      { x: 0, y: 0 },
      { x: 100, y: 0 },
    ],
    [
      { x: 10, y: 5 },
      { x: 210, y: 5 },
    ],
  )
  expect(next).toEqual({ scale: 2, x: 10, y: 5 })
})

it("the overlay shows the mask at the picture's position at any zoom", () => {
  const mask = new Mask(8, 8)
  mask.data[3 * 8 + 2] = 255
  const stage = { width: 100, height: 100 }
  const view = { scale: 5, x: 10, y: 20 }
  const area = onStage({ x: 2, y: 3, width: 1, height: 1 }, view, 2, stage)
  expect(area).toEqual({ x: 39, y: 69, width: 12, height: 12 })
  const shown = overlayOf(mask, area, view, 2)
  const drawn = [...shown].filter((value) => value === 0xff000000)
  expect([drawn.length, shown[0]]).toEqual([100, 0])
  const small = overlayOf(mask, { x: 0, y: 0, width: 4, height: 4 }, { scale: 0.5, x: 0, y: 0 }, 1)
  expect((small[1 * 4 + 1] as number) >>> 24, 'one of four pixels').toBe(64)
})
