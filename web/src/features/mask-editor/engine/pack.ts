/** Compressed bytes of a tile; a number if all are the same. */
export type Packed = number | Uint8Array

const TWO_VALUES = 0
const RUNS = 1
const RAW = 2
const LONGEST_RUN = 256

/** Chooses the smallest form: bits for two values, runs, or raw bytes. */
export function pack(bytes: Uint8Array): Packed {
  const first = bytes[0] ?? 0
  let second = first
  let two = true
  let runs = 1
  let length = 1
  for (let i = 1; i < bytes.length; i += 1) {
    const value = bytes[i] as number
    if (value !== first) {
      if (second === first) second = value
      else if (value !== second) two = false
    }
    if (value === bytes[i - 1] && length < LONGEST_RUN) {
      length += 1
    } else {
      runs += 1
      length = 1
    }
  }
  if (second === first) return first
  const inBits = two ? 3 + Math.ceil(bytes.length / 8) : Number.POSITIVE_INFINITY
  const inRuns = 1 + runs * 2
  if (inRuns < Math.min(inBits, bytes.length + 1)) return packRuns(bytes, inRuns)
  if (two) return packBits(bytes, first, second, inBits)
  const raw = new Uint8Array(bytes.length + 1)
  raw[0] = RAW
  raw.set(bytes, 1)
  return raw
}

function packRuns(bytes: Uint8Array, size: number): Uint8Array {
  const packed = new Uint8Array(size)
  packed[0] = RUNS
  let at = 1
  for (let i = 0; i < bytes.length; ) {
    const value = bytes[i] as number
    let end = i + 1
    while (end < bytes.length && bytes[end] === value && end - i < LONGEST_RUN) end += 1
    packed[at] = end - i - 1
    packed[at + 1] = value
    at += 2
    i = end
  }
  return packed
}

function packBits(bytes: Uint8Array, first: number, second: number, size: number): Uint8Array {
  const packed = new Uint8Array(size)
  packed.set([TWO_VALUES, first, second])
  for (let i = 0; i < bytes.length; i += 1) {
    if (bytes[i] === second) packed[3 + (i >> 3)] = (packed[3 + (i >> 3)] as number) | (1 << (i & 7))
  }
  return packed
}

export function unpack(packed: Packed, length: number): Uint8Array {
  if (typeof packed === 'number') return new Uint8Array(length).fill(packed)
  if (packed[0] === RAW) return packed.slice(1)
  const bytes = new Uint8Array(length)
  if (packed[0] === RUNS) {
    let at = 0
    for (let i = 1; i < packed.length; i += 2) {
      const end = at + (packed[i] as number) + 1
      bytes.fill(packed[i + 1] as number, at, end)
      at = end
    }
    return bytes
  }
  const first = packed[1] as number
  const second = packed[2] as number
  for (let i = 0; i < length; i += 1) bytes[i] = ((packed[3 + (i >> 3)] as number) >> (i & 7)) & 1 ? second : first
  return bytes
}

/** Memory used by it, including a map entry. */
export const sizeOf = (packed: Packed): number => (typeof packed === 'number' ? 40 : 140 + packed.length)
