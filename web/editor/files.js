// Graphs in files: JSON, and pictures, videos and sounds that carry the graph that made them. The front end reads them
// too, but loses the texts of numbers, and knows fewer places.
//
// Licence: GPL-3.0-only (LICENSE.txt).
import { decoded, latin, MAX_TEXT, rangesOf, u32 } from './bytes.js'
import { isNode, isRecord, isWorkflow } from './graphs.js'
import { flacTexts, mp3Texts, mp4Texts, oggTexts, webmTexts } from './media.js'
import { below, parse } from './numbers.js'
import { avifTexts, jpegTexts, pngTexts, webpTexts } from './pictures.js'

const parsed = (text) => {
  try {
    return parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

/** The part below a key, which may be JSON text itself. */
function part(whole, key) {
  const found = below(whole, key)
  return typeof found.value === 'string' ? parsed(found.value) : found
}

function workflowIn(whole) {
  if (isWorkflow(whole.value)) return whole
  const inner = isRecord(whole.value) ? part(whole, 'workflow') : null
  return inner && isWorkflow(inner.value) ? inner : null
}

/** The nodes of a prompt, without what some programs store beside them. */
function nodesIn({ value, texts }) {
  const nodes = isRecord(value) ? Object.entries(value).filter(([, node]) => isNode(node)) : []
  if (nodes.length === 0) return null
  return { value: Object.fromEntries(nodes.map(([id, node]) => [id, { ...node, inputs: node.inputs ?? {} }])), texts }
}

function promptIn(whole) {
  for (const key of ['output', 'prompt']) {
    const inner = isRecord(whole.value) && !isNode(whole.value[key]) ? part(whole, key) : null
    const nodes = inner && nodesIn(inner)
    if (nodes) return nodes
  }
  return nodesIn(whole)
}

/** The graph of a JSON text: the editor's format if there is one, else the prompt. Null if it has neither. */
export function graphInText(text) {
  const whole = parsed(text)
  return whole && (workflowIn(whole) ?? promptIn(whole))
}

/** Where programs write graphs. Video nodes write both formats into the comment. */
const PLACES = ['workflow', 'prompt', 'comment', 'description', 'imagedescription', 'usercomment']

/** The graph among the texts of a file. A workflow in any place is better than a prompt. */
export function graphInTexts(texts) {
  const found = PLACES.map((place) => texts.get(place)).filter((text) => text !== undefined)
  const wholes = found.map(parsed).filter((whole) => whole !== null)
  const first = (read) => wholes.map(read).find((graph) => graph !== null) ?? null
  return first(workflowIn) ?? first(promptIn)
}

/** A header of JSON: the length of its text, four other bytes, and the text. */
async function headerAt(read, at) {
  const length = u32(await read(at, 8), 0, true)
  return length <= MAX_TEXT ? JSON.parse(decoded(await read(at + 8, length))) : {}
}

/** The texts in the header of a file with tensors. */
const tensorTexts = async (read) => textsOf((await headerAt(read, 0)).__metadata__)
/** The texts in the first part of a 3D model. */
const modelTexts = async (read) => textsOf((await headerAt(read, 12)).asset?.extras)

const textsOf = (fields) =>
  new Map(
    Object.entries(fields ?? {}).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )

/** The texts that a file carries, by name. The bytes tell its format: names and types are often wrong. */
async function textsIn(file) {
  const read = rangesOf(file)
  const head = await read(0, 16)
  const starts = (...bytes) => bytes.every((byte, index) => head[index] === byte)
  const name = latin(head.subarray(0, 4))
  const box = latin(head.subarray(4, 8))
  if (starts(0x89, 0x50, 0x4e, 0x47)) return pngTexts(read)
  if (starts(0xff, 0xd8, 0xff)) return jpegTexts(read)
  if (name === 'RIFF' && latin(head.subarray(8, 12)) === 'WEBP') return webpTexts(read)
  if (starts(0x1a, 0x45, 0xdf, 0xa3)) return webmTexts(read)
  if (box === 'ftyp' && latin(head.subarray(8, 11)) === 'avi') return avifTexts(read, file.size)
  if (['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].includes(box)) return mp4Texts(read, file.size)
  if (name === 'fLaC') return flacTexts(read)
  if (name === 'OggS') return oggTexts(read)
  if (name.startsWith('ID3')) return mp3Texts(read)
  if (name === 'glTF') return modelTexts(read)
  if (/\.(latent|safetensors)$/i.test(file.name)) return tensorTexts(read)
  return null
}

/** Whether a text has the settings that other programs write into pictures. The front end makes a graph of them. */
const isSettings = (text) => /\nSteps:/.test(text ?? '')

/**
 * What a file carries: `graph` with the texts of its numbers, or `settings` of another program. Null if it carries
 * neither.
 */
export async function contentOf(file) {
  // A damaged file carries nothing that can be read.
  const texts = await textsIn(file).catch(() => new Map())
  if (texts === null) {
    if (file.size > MAX_TEXT) return null
    const text = await file.text()
    const data = /<metadata>\s*<!\[CDATA\[([\s\S]*?)\]\]>/.exec(text.startsWith('<') ? text : '')
    const graph = graphInText(data ? data[1] : text)
    return graph && { graph }
  }
  const graph = graphInTexts(texts)
  if (graph) return { graph }
  return isSettings(texts.get('parameters')) ? { settings: true } : null
}
