import { fill } from './engine/fill'
import { encodeMask } from './engine/png'
import type { WorkerRequest, WorkerResponse } from './tools'

// Web worker for slow work: reading the picture, filling, encoding.
let pixels = new Uint32Array(0)
let size = { width: 0, height: 0 }

const tell = (answer: WorkerResponse, give: Transferable[] = []) => postMessage(answer, { transfer: give })

function read(picture: ImageBitmap): Uint8Array<ArrayBuffer> | null {
  size = { width: picture.width, height: picture.height }
  const pen = new OffscreenCanvas(size.width, size.height).getContext('2d')
  if (!pen) throw new Error('the browser has no 2d canvas context')
  pen.drawImage(picture, 0, 0)
  picture.close()
  const { data } = pen.getImageData(0, 0, size.width, size.height)
  pixels = new Uint32Array(data.buffer)
  const initial = new Uint8Array(pixels.length)
  let drawn = 0
  for (let at = 0; at < initial.length; at += 1) {
    const value = 255 - ((pixels[at] as number) >>> 24)
    initial[at] = value
    drawn |= value
  }
  return drawn ? initial : null
}

addEventListener('message', async ({ data }: MessageEvent<WorkerRequest & { id: number }>) => {
  const { id } = data
  try {
    if (data.kind === 'read') {
      const initial = read(data.picture)
      tell({ id, result: initial }, initial ? [initial.buffer] : [])
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
