// Reads bytes of files: numbers and texts at offsets, ranges of large files, and compressed texts.
//
// Licence: GPL-3.0-only (LICENSE.txt).

/** The longest text that is read. No graph is longer. */
export const MAX_TEXT = 64 * 1024 * 1024
/** Read at once, so that many small reads of a file cost one. */
const BLOCK = 64 * 1024

/** Reads ranges of a file, shorter ones at its end. Videos are large, and their texts can be at either end. */
export function rangesOf(file) {
  let start = 0
  let block = new Uint8Array()
  return async (at, length) => {
    if (at < start || at + length > start + block.length) {
      start = at
      block = new Uint8Array(await file.slice(at, at + Math.max(length, BLOCK)).arrayBuffer())
    }
    return block.subarray(at - start, at - start + length)
  }
}

const view = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
export const u16 = (bytes, at, little = false) => view(bytes).getUint16(at, little)
export const u32 = (bytes, at, little = false) => view(bytes).getUint32(at, little)
export const u64 = (bytes, at) => Number(view(bytes).getBigUint64(at))

/** Bytes as characters of the same numbers, for names and signatures. */
export const latin = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

/** The text before the first NUL, and what follows it. */
export function untilNul(bytes) {
  const end = bytes.indexOf(0)
  return end < 0 ? [bytes, bytes.subarray(bytes.length)] : [bytes.subarray(0, end), bytes.subarray(end + 1)]
}

/** A text in UTF-8. Older programs wrote Latin-1. */
export function decoded(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A text in UTF-16, in the byte order of its mark or else in this one. */
export function decodedWide(bytes, little) {
  const mark = bytes.length >= 2 ? u16(bytes, 0) : 0
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder(mark === 0xfffe || little ? 'utf-16le' : 'utf-16be').decode(bytes)
}

/** Decompresses zlib data, up to the length of the longest text. */
export async function inflated(bytes) {
  const stream = new DecompressionStream('deflate')
  const writer = stream.writable.getWriter()
  // The reader gets the error of data that is not valid.
  for (const written of [writer.write(bytes), writer.close()]) written.catch(() => undefined)
  const reader = stream.readable.getReader()
  const parts = []
  for (let total = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) break
    total += value.length
    if (total > MAX_TEXT) throw new RangeError('the compressed text is too long')
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** Texts of a file by name in lower case. The first text of a name counts. */
export function noteText(texts, name, text) {
  const key = name.toLowerCase()
  if (key !== '' && !texts.has(key)) texts.set(key, text)
}
