// Texts in videos and sounds: boxes of MP4 and MOV, tags of WebM, comments of FLAC and Ogg, and ID3 of MP3.
//
// Licence: GPL-3.0-only (LICENSE.txt).
import { decoded, decodedWide, latin, MAX_TEXT, noteText, u32, u64, untilNul } from './bytes.js'

// ---------- MP4 and MOV

/** The header of a box: its type, where its content starts, and where it ends. */
function boxAt(bytes, at, end) {
  const length = u32(bytes, 0)
  const type = latin(bytes.subarray(4, 8))
  if (length === 1) return { type, start: at + 16, end: at + u64(bytes, 8) }
  return { type, start: at + 8, end: length === 0 ? end : at + length }
}

export async function mp4Texts(read, size) {
  const texts = new Map()
  for (let at = 0; at + 8 <= size; ) {
    const box = boxAt(await read(at, 16), at, size)
    const length = box.end - box.start
    if (length < 0) return texts
    if (['moov', 'udta', 'meta'].includes(box.type) && length <= MAX_TEXT) {
      noteBox(texts, box.type, await read(box.start, length))
    }
    at = box.end
  }
  return texts
}

function* boxesIn(bytes) {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const head = new Uint8Array(16)
    head.set(bytes.subarray(at, at + 16))
    const { type, start, end } = boxAt(head, at, bytes.length)
    if (end < start || end > bytes.length) return
    yield [type, bytes.subarray(start, end)]
    at = end
  }
}

function noteBox(texts, type, bytes) {
  if (type === 'meta') return noteMeta(texts, bytes)
  for (const [inner, content] of boxesIn(bytes)) {
    if (['udta', 'meta'].includes(inner)) noteBox(texts, inner, content)
    // QuickTime: the length and the language precede the text.
    else if (type === 'udta' && inner.startsWith('©')) noteText(texts, nameOf(inner), decoded(content.subarray(4)))
  }
}

function noteMeta(texts, bytes) {
  // QuickTime has no version here.
  const boxes = [...boxesIn(latin(bytes.subarray(4, 8)) === 'hdlr' ? bytes : bytes.subarray(4))]
  const names = boxes.filter(([type]) => type === 'keys').flatMap(([, content]) => keysIn(content))
  const items = boxes.filter(([type]) => type === 'ilst').flatMap(([, content]) => [...boxesIn(content)])
  for (const [type, content] of items) {
    const parts = new Map(boxesIn(content))
    const data = parts.get('data')
    if (!data) continue
    const own = parts.has('name') ? decoded(parts.get('name').subarray(4)) : nameOf(type)
    const index = u32(
      Uint8Array.from(type, (letter) => letter.charCodeAt(0)),
      0,
    )
    noteText(texts, names[index - 1] ?? own, decoded(data.subarray(8)))
  }
}

function keysIn(bytes) {
  const names = []
  for (let at = 8; at + 8 <= bytes.length; ) {
    const length = u32(bytes, at)
    if (length < 8) break
    names.push(
      decoded(bytes.subarray(at + 8, at + length))
        .split('.')
        .at(-1),
    )
    at += length
  }
  return names
}

const nameOf = (type) => ({ '©cmt': 'comment', desc: 'description', '©des': 'description' })[type] ?? type

// ---------- WebM

const [SEGMENT, CLUSTER, TAGS, TAG, SIMPLE_TAG, TAG_NAME, TAG_TEXT] = [
  0x18538067, 0x1f43b675, 0x1254c367, 0x7373, 0x67c8, 0x45a3, 0x4487,
]

/** The header of an element: its id, the length of the header, and of the content (null if it is open). */
function elementIn(bytes, at) {
  const lengthOf = (first) => Math.clz32(first) - 23
  const idLength = lengthOf(bytes[at])
  const sizeLength = lengthOf(bytes[at + idLength])
  if (idLength > 4 || sizeLength > 8 || at + idLength + sizeLength > bytes.length) return null
  let id = 0
  for (let index = 0; index < idLength; index += 1) id = id * 256 + bytes[at + index]
  let size = bytes[at + idLength] & (0xff >> sizeLength)
  for (let index = 1; index < sizeLength; index += 1) size = size * 256 + bytes[at + idLength + index]
  return { id, header: idLength + sizeLength, size: size >= 2 ** (7 * sizeLength) - 1 ? null : size }
}

export async function webmTexts(read) {
  const texts = new Map()
  for (let at = 0; ; ) {
    const bytes = await read(at, 12)
    const element = bytes.length < 2 ? null : elementIn(bytes, 0)
    if (!element) return texts
    const { id, header, size } = element
    if (id === TAGS && size !== null && size <= MAX_TEXT) noteTags(texts, await read(at + header, size))
    // The content of the segment, and of open clusters, is read as elements.
    at += id === SEGMENT || (id === CLUSTER && size === null) ? header : header + (size ?? Number.POSITIVE_INFINITY)
  }
}

function* elementsIn(bytes) {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const element = elementIn(bytes, at)
    if (!element || element.size === null) return
    const start = at + element.header
    yield [element.id, bytes.subarray(start, start + element.size)]
    at = start + element.size
  }
}

function noteTags(texts, bytes) {
  for (const [id, content] of elementsIn(bytes)) {
    if (id === TAG) noteTags(texts, content)
    if (id !== SIMPLE_TAG) continue
    const parts = new Map(elementsIn(content))
    if (parts.has(TAG_NAME) && parts.has(TAG_TEXT)) {
      noteText(texts, decoded(parts.get(TAG_NAME)), decoded(parts.get(TAG_TEXT)).replace(/\0+$/, ''))
    }
  }
}

// ---------- FLAC and Ogg

const COMMENTS = 4

export async function flacTexts(read) {
  const texts = new Map()
  for (let at = 4, isLast = false; !isLast; ) {
    const head = await read(at, 4)
    if (head.length < 4) return texts
    const length = u32(head, 0) & 0xffffff
    if ((head[0] & 0x7f) === COMMENTS) noteComments(texts, await read(at + 4, length))
    isLast = head[0] >= 0x80
    at += 4 + length
  }
  return texts
}

function noteComments(texts, bytes) {
  if (bytes.length < 8) return
  let at = 4 + u32(bytes, 0, true)
  if (at + 4 > bytes.length) return
  const count = u32(bytes, at, true)
  at += 4
  for (let left = count; left > 0 && at + 4 <= bytes.length; left -= 1) {
    const length = u32(bytes, at, true)
    const comment = decoded(bytes.subarray(at + 4, at + 4 + length))
    const equals = comment.indexOf('=')
    if (equals > 0) noteText(texts, comment.slice(0, equals), comment.slice(equals + 1))
    at += 4 + length
  }
}

/** The comments are the second packet of a stream. A long one is spread over pages. */
export async function oggTexts(read) {
  const texts = new Map()
  const parts = []
  let [total, packets, stream] = [0, 0, null]
  for (let at = 0; packets < 2 && total <= MAX_TEXT; ) {
    const head = await read(at, 27)
    if (head.length < 27 || latin(head.subarray(0, 4)) !== 'OggS') break
    const lengths = await read(at + 27, head[26])
    let start = at + 27 + head[26]
    const serial = u32(head, 14)
    stream ??= serial
    for (const length of lengths) {
      if (serial === stream && packets === 1) {
        parts.push((await read(start, length)).slice())
        total += length
      }
      if (serial === stream && length < 255) packets += 1
      start += length
    }
    at = start
  }
  const packet = new Uint8Array(await new Blob(parts).arrayBuffer())
  const head = latin(packet.subarray(0, 8))
  const skip = head === 'OpusTags' ? 8 : head.startsWith('\x03vorbis') ? 7 : (packet[0] & 0x7f) === COMMENTS ? 4 : null
  if (skip !== null) noteComments(texts, packet.subarray(skip))
  return texts
}

// ---------- MP3

/** A length of which each byte has seven bits. */
const sevenBits = (bytes, at) =>
  ((bytes[at] & 0x7f) << 21) | ((bytes[at + 1] & 0x7f) << 14) | ((bytes[at + 2] & 0x7f) << 7) | (bytes[at + 3] & 0x7f)

export async function mp3Texts(read) {
  const texts = new Map()
  const head = await read(0, 10)
  if (head.length < 10) return texts
  const [version, flags] = [head[3], head[5]]
  const bytes = await read(10, Math.min(sevenBits(head, 6), MAX_TEXT))
  // Version 2 has other frames, and no program writes graphs into them.
  if (version < 3) return texts
  const lengthAt = version === 3 ? u32 : sevenBits
  let at = flags & 0x40 ? lengthAt(bytes, 0) + (version === 3 ? 4 : 0) : 0
  while (at + 10 <= bytes.length && bytes[at] !== 0) {
    const length = lengthAt(bytes, at + 4)
    const content = bytes.subarray(at + 10, at + 10 + length)
    if (latin(bytes.subarray(at, at + 4)) === 'TXXX' && content.length > 1) noteFrame(texts, content)
    at += 10 + length
  }
  return texts
}

/** The encoding, the name, and the text. */
function noteFrame(texts, bytes) {
  const [encoding, rest] = [bytes[0], bytes.subarray(1)]
  if (encoding === 0 || encoding === 3) {
    const [name, text] = untilNul(rest)
    return noteText(texts, decoded(name), decoded(text).replace(/\0+$/, ''))
  }
  const little = rest[0] === 0xff
  for (let at = 0; at + 1 < rest.length; at += 2) {
    if (rest[at] !== 0 || rest[at + 1] !== 0) continue
    const text = decodedWide(rest.subarray(at + 2), little).replace(/\0+$/, '')
    return noteText(texts, decodedWide(rest.subarray(0, at), little), text)
  }
}
