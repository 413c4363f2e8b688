import { crc32, deflateSync } from 'node:zlib'
import type { Locator, Page } from '@playwright/test'

export type PictureFile = { name: string; mimeType: string; buffer: Buffer }

const chunk = (name: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(body.length)
  ends.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)])
}

const CHANNELS = { 0: 1, 2: 3, 6: 4 } as const
type PngKind = { type: keyof typeof CHANNELS; depth: 8 | 16 }

/** A PNG of any kind. `sample` is a channel of a pixel, from 0 to 1. */
export function pngFile(
  name: string,
  [width, height]: [number, number],
  { type, depth }: PngKind,
  sample: (x: number, y: number, channel: number) => number,
): PictureFile {
  const bytes = depth / 8
  const stride = 1 + width * CHANNELS[type] * bytes
  const rows = Buffer.alloc(stride * height)
  for (let y = 0; y < height; y += 1) {
    let at = y * stride + 1
    for (let x = 0; x < width; x += 1) {
      for (let channel = 0; channel < CHANNELS[type]; channel += 1) {
        at = rows.writeUIntBE(Math.round(sample(x, y, channel) * (2 ** depth - 1)), at, bytes)
      }
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([depth, type], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return { name, mimeType: 'image/png', buffer: Buffer.concat([signature, ...parts]) }
}

/** A file that the browser encodes: light at the left, dark at the right, with one random pixel value. */
export async function browserFile(page: Page, name: string, mimeType: string, size: [number, number]) {
  const base64 = await page.evaluate(
    ([type, [width, height]]) => {
      const canvas = document.createElement('canvas')
      canvas.width = width
      canvas.height = height
      const pen = canvas.getContext('2d')
      if (!pen) throw new Error('no canvas')
      pen.fillStyle = `rgb(250 240 ${Math.floor(Math.random() * 250)})`
      pen.fillRect(0, 0, width, height)
      pen.fillStyle = 'rgb(20 30 90)'
      pen.fillRect(width / 2, 0, width / 2, height)
      return canvas.toDataURL(type, 0.95).split(',')[1] ?? ''
    },
    [mimeType, size] as const,
  )
  return { name, mimeType, buffer: Buffer.from(base64, 'base64') }
}

/** A JPEG that its metadata turns by a quarter clockwise. */
export function turned({ buffer, ...file }: PictureFile): PictureFile {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex')
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return { ...file, buffer: Buffer.concat([buffer.subarray(0, 2), head, body, buffer.subarray(2)]) }
}

export type Pixels = { width: number; height: number; at: number[][] }

/** The size of a picture, and RGBA at these shares of its sides. Transparent pixels lose their colours. */
export const pixelsOf = (picture: Locator, places: [number, number][]): Promise<Pixels> =>
  picture.evaluate(async (image: HTMLImageElement, places) => {
    await image.decode()
    const [width, height] = [image.naturalWidth, image.naturalHeight]
    const pen = new OffscreenCanvas(1, 1).getContext('2d')
    if (!pen) throw new Error('no canvas')
    const at = places.map(([right, down]) => {
      pen.clearRect(0, 0, 1, 1)
      const [x, y] = [Math.min(width - 1, Math.floor(right * width)), Math.min(height - 1, Math.floor(down * height))]
      pen.drawImage(image, x, y, 1, 1, 0, 0, 1, 1)
      return [...pen.getImageData(0, 0, 1, 1).data]
    })
    return { width, height, at }
  }, places)
