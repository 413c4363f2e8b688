/** Bytes passed to the compressor at a time. */
const PIECE = 1 << 22
const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10]

const CRC = new Uint32Array(256).map((_, n) => {
  let c = n
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c >>> 0
})

function crc(bytes: Uint8Array): number {
  let c = 0xffffffff
  for (let i = 0; i < bytes.length; i += 1) c = (CRC[(c ^ (bytes[i] as number)) & 255] as number) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}

function chunk(name: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(body.length + 12)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, body.length)
  for (let i = 0; i < 4; i += 1) bytes[4 + i] = name.charCodeAt(i)
  bytes.set(body, 8)
  view.setUint32(body.length + 8, crc(bytes.subarray(4, body.length + 8)))
  return bytes
}

/**
 * A mask as an RGBA PNG: black and transparent where masked, white and opaque elsewhere. Written by hand, because a
 * canvas loses colours at low alpha.
 */
export async function encodeMask(mask: Uint8Array, width: number, height: number): Promise<Blob> {
  const head = new Uint8Array(13)
  const view = new DataView(head.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  head.set([8, 6, 0, 0, 0], 8)
  const parts: Uint8Array[] = [new Uint8Array(SIGNATURE), chunk('IHDR', head)]
  const rows = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (sink) => sendRows(sink, mask, width, height) })
  const reader = rows.pipeThrough(new CompressionStream('deflate')).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(chunk('IDAT', part.value))
  parts.push(chunk('IEND', new Uint8Array(0)))
  return new Blob(parts as BlobPart[], { type: 'image/png' })
}

function sendRows(
  sink: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
  mask: Uint8Array,
  width: number,
  height: number,
): void {
  const stride = 1 + width * 4
  const atOnce = Math.max(1, Math.floor(PIECE / stride))
  for (let y = 0; y < height; y += atOnce) {
    const rows = Math.min(atOnce, height - y)
    const bytes = new Uint8Array(rows * stride)
    for (let row = 0; row < rows; row += 1) {
      // The first byte of each row is its filter: none.
      let at = row * stride + 1
      const from = (y + row) * width
      for (let x = 0; x < width; x += 1) {
        const value = 255 - (mask[from + x] as number)
        bytes[at] = value
        bytes[at + 1] = value
        bytes[at + 2] = value
        bytes[at + 3] = value
        at += 4
      }
    }
    sink.enqueue(bytes)
  }
  sink.close()
}
