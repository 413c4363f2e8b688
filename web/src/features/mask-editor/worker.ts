import { fill } from './engine/fill'
import { encodeMask } from './engine/png'
import type { Answer, Ask } from './tools'

// What takes long is done here, beside the page: reading the picture, filling, writing the file.
let pixels = new Uint32Array(0)
let size = { width: 0, height: 0 }

const tell = (answer: Answer, give: Transferable[] = []) => postMessage(answer, { transfer: give })

function read(picture: ImageBitmap): Uint8Array<ArrayBuffer> | null {
  size = { width: picture.width, height: picture.height }
  const pen = new OffscreenCanvas(size.width, size.height).getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.drawImage(picture, 0, 0)
  picture.close()
  const { data } = pen.getImageData(0, 0, size.width, size.height)
  pixels = new Uint32Array(data.buffer)
  const begun = new Uint8Array(pixels.length)
  let drawn = 0
  for (let at = 0; at < begun.length; at += 1) {
    const value = 255 - ((pixels[at] as number) >>> 24)
    begun[at] = value
    drawn |= value
  }
  return drawn ? begun : null
}

addEventListener('message', async ({ data }: MessageEvent<Ask & { id: number }>) => {
  const { id } = data
  try {
    if (data.kind === 'read') {
      const begun = read(data.picture)
      tell({ id, result: begun }, begun ? [begun.buffer] : [])
    } else if (data.kind === 'fill') {
      const filled = fill(pixels, size.width, size.height, data.x, data.y, data.tolerance)
      tell({ id, result: filled }, [filled.inside.buffer as ArrayBuffer])
    } else {
      tell({ id, result: await encodeMask(data.mask, size.width, size.height) })
    }
  } catch (error) {
    tell({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
