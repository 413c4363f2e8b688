// Texts in pictures: chunks of PNG, and EXIF in PNG, WebP, JPEG and AVIF.
//
// Licence: GPL-3.0-only (LICENSE.txt).
import { decoded, decodedWide, inflated, latin, MAX_TEXT, noteText, u16, u32, untilNul } from './bytes.js'

/** ComfyUI writes `comf` chunks into animated PNG files. */
const PNG_TEXTS = new Set(['tEXt', 'comf', 'zTXt', 'iTXt', 'eXIf'])

export async function pngTexts(read) {
  const texts = new Map()
  for (let at = 8; ; ) {
    const head = await read(at, 8)
    if (head.length < 8) return texts
    const [length, type] = [u32(head, 0), latin(head.subarray(4, 8))]
    if (type === 'IEND') return texts
    if (PNG_TEXTS.has(type) && length <= MAX_TEXT) {
      // A damaged text does not hide the others.
      await pngText(type, await read(at + 8, length), texts).catch(() => undefined)
    }
    at += 12 + length
  }
}

async function pngText(type, bytes, texts) {
  if (type === 'eXIf') return exifTexts(bytes, texts)
  const [name, rest] = untilNul(bytes)
  const key = latin(name)
  if (type === 'zTXt') return noteText(texts, key, decoded(await inflated(rest.subarray(1))))
  if (type !== 'iTXt') return noteText(texts, key, decoded(rest))
  // The language and the translated name precede the text.
  const [, translated] = untilNul(rest.subarray(2))
  const [, text] = untilNul(translated)
  return noteText(texts, key, decoded(rest[0] === 1 ? await inflated(text) : text))
}

export async function webpTexts(read) {
  const texts = new Map()
  for (let at = 12; ; ) {
    const head = await read(at, 8)
    if (head.length < 8) return texts
    const length = u32(head, 4, true)
    if (latin(head.subarray(0, 4)) === 'EXIF' && length <= MAX_TEXT) {
      exifTexts(withoutExifMark(await read(at + 8, length)), texts)
    }
    // Chunks of odd length are padded.
    at += 8 + length + (length % 2)
  }
}

const EXIF_MARK = 'Exif\0\0'
const withoutExifMark = (bytes) => (latin(bytes.subarray(0, 6)) === EXIF_MARK ? bytes.subarray(6) : bytes)

export async function jpegTexts(read) {
  const texts = new Map()
  for (let at = 2; ; ) {
    const head = await read(at, 4)
    // Ends where the picture's data starts.
    if (head.length < 4 || head[0] !== 0xff || head[1] === 0xda) return texts
    const length = u16(head, 2)
    if (head[1] === 0xe1 || head[1] === 0xfe) {
      const bytes = await read(at + 4, length - 2)
      if (head[1] === 0xfe) noteText(texts, 'comment', decoded(bytes))
      else if (latin(bytes.subarray(0, 6)) === EXIF_MARK) exifTexts(bytes.subarray(6), texts)
    }
    at += 2 + length
  }
}

/** The file keeps EXIF at a place that its index names. Its two possible beginnings are searched instead. */
export async function avifTexts(read, size) {
  const texts = new Map()
  const bytes = await read(0, Math.min(size, MAX_TEXT))
  for (let at = 0; at + 8 < bytes.length && texts.size === 0; at += 1) {
    const order = bytes[at] === bytes[at + 1] && (bytes[at] === 0x49 || bytes[at] === 0x4d)
    if (order && u16(bytes, at + 2, bytes[at] === 0x49) === 42) exifTexts(bytes.subarray(at), texts)
  }
  return texts
}

const [ASCII, UNDEFINED, LONG] = [2, 7, 4]
const [USER_COMMENT, EXIF_FOLDER] = [0x9286, 0x8769]

/** Texts of EXIF. Programs write `workflow:{…}` into any field, since none is meant for it. */
function exifTexts(bytes, texts) {
  if (bytes.length < 8) return
  const little = bytes[0] === 0x49
  const folder = (at, isOuter) => {
    if (at < 8 || at + 2 > bytes.length) return
    for (let left = u16(bytes, at, little), entry = at + 2; left > 0; left -= 1, entry += 12) {
      if (entry + 12 > bytes.length) return
      const [tag, type] = [u16(bytes, entry, little), u16(bytes, entry + 2, little)]
      const count = u32(bytes, entry + 4, little)
      if (tag === EXIF_FOLDER && type === LONG && isOuter) folder(u32(bytes, entry + 8, little), false)
      if (type !== ASCII && type !== UNDEFINED) continue
      const start = count <= 4 ? entry + 8 : u32(bytes, entry + 8, little)
      if (start + count <= bytes.length) noteExif(texts, tag, bytes.subarray(start, start + count), little)
    }
  }
  folder(u32(bytes, 4, little), true)
}

function noteExif(texts, tag, bytes, little) {
  const text = (tag === USER_COMMENT ? userComment(bytes, little) : decoded(bytes)).replace(/\0+$/, '')
  const named = /^(\w+):\s*(?=\{)/.exec(text)
  if (named) noteText(texts, named[1], text.slice(named[0].length))
  else if (text.startsWith('{')) noteText(texts, 'comment', text)
}

/** The comment begins with the name of its character set. */
function userComment(bytes, little) {
  const set = latin(bytes.subarray(0, 8))
  if (set.startsWith('UNICODE')) return decodedWide(bytes.subarray(8), little)
  return decoded(set.startsWith('ASCII') || set.startsWith('\0') ? bytes.subarray(8) : bytes)
}
