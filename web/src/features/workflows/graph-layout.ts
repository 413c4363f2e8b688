import type { WorkflowGraph } from '@/shared/api/types'

export type Box = {
  id: string
  title: string
  x: number
  y: number
  width: number
  height: number
  hue: number
  facts: string[]
  off: 'muted' | 'bypassed' | null
}
export type Line = { key: string; path: string }
export type Drawing = {
  boxes: Box[]
  lines: Line[]
  x: number
  y: number
  width: number
  height: number
  total: number
}

const MARGIN = 40
const WIDE = 230
const HIGH = 48
const LINE = 22
const COLUMN = 310
const GAP = 40
const MAX_FACTS = 5
/** Maximum drawn nodes; more cannot be told apart. */
const MAX_NODES = 400

type Pair = [string, string]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
/** Maximum distance from the origin. Corrupt positions beyond it would shrink the rest to nothing. */
const MAX_DISTANCE = 100_000
const number = (value: unknown, other: number) => {
  // Numbers that JavaScript cannot represent are read as text.
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof read === 'number' && Math.abs(read) <= MAX_DISTANCE ? read : other
}
const pair = (value: unknown): [unknown, unknown] => {
  if (Array.isArray(value)) return [value[0], value[1]]
  return isObject(value) ? [value[0], value[1]] : [undefined, undefined]
}

/** A text or number as text; other values are ignored. */
const scalarText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** Nodes of one class have one colour. */
const hueOf = (name: string): number => [...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 360, 7)

/** The names of subgraphs by id, which is the type of their nodes. */
function subgraphNames(graph: Record<string, unknown>): Map<string, string> {
  const definitions = isObject(graph.definitions) ? graph.definitions.subgraphs : []
  const known = (Array.isArray(definitions) ? definitions : []).filter(isObject)
  return new Map(known.flatMap(({ id, name }) => (typeof name === 'string' && name ? [[String(id), name]] : [])))
}

/** The editor's mode numbers of nodes that do not run. */
const OFF_MODES: Record<string, Box['off'] | undefined> = { 2: 'muted', 4: 'bypassed' }

/** The nodes as the editor placed them. */
function editorBoxes(nodes: Record<string, unknown>[], names: Map<string, string>): Box[] {
  return nodes.slice(0, MAX_NODES).map((node) => {
    const [x, y] = pair(node.pos)
    const [width, height] = pair(node.size)
    const type = scalarText(node.type)
    const own = scalarText(node.title)
    const title = own === type ? '' : own
    return {
      id: scalarText(node.id),
      title: title || (names.get(type) ?? type),
      x: number(x, 0),
      y: number(y, 0),
      width: Math.min(Math.max(number(width, WIDE), 60), 900),
      height: Math.min(Math.max(number(height, HIGH), 30), 900),
      hue: hueOf(type),
      facts: [],
      off: OFF_MODES[String(node.mode)] ?? null,
    }
  })
}

const drawnLinks = (links: unknown[]): Pair[] =>
  links.flatMap((link): Pair[] => {
    if (Array.isArray(link)) return [[scalarText(link[1]), scalarText(link[3])]]
    return isObject(link) ? [[scalarText(link.origin_id), scalarText(link.target_id)]] : []
  })

/** A stored prompt, unchecked: malformed parts are ignored. */
type Prompt = Record<string, unknown>

const partOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
const inputsOf = (prompt: Prompt, id: string): Record<string, unknown> => {
  const inputs = partOf(prompt[id], 'inputs')
  return isObject(inputs) ? inputs : {}
}

const sources = (prompt: Prompt, id: string): string[] =>
  Object.values(inputsOf(prompt, id)).flatMap((input) =>
    Array.isArray(input) && typeof input[0] === 'string' && Object.hasOwn(prompt, input[0]) ? [input[0]] : [],
  )

const settings = (inputs: Record<string, unknown>): string[] =>
  Object.entries(inputs)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .slice(0, MAX_FACTS)
    .map(([name, value]) => `${name}: ${value}`)

/** Lays out a prompt, which has no positions: each node is one column after the last node it depends on. */
function layoutPrompt(prompt: Prompt): { boxes: Box[]; links: Pair[] } {
  const columns = new Map<string, number>()
  const column = (id: string, seen: string[]): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    if (seen.includes(id) || seen.length > MAX_NODES) return 0
    const found = Math.max(0, ...sources(prompt, id).map((source) => column(source, [...seen, id]) + 1))
    columns.set(id, found)
    return found
  }
  const filled = new Map<number, number>()
  const ids = Object.keys(prompt).slice(0, MAX_NODES)
  const boxes = ids.map((id): Box => {
    const at = column(id, [])
    const y = filled.get(at) ?? 0
    const type = scalarText(partOf(prompt[id], 'class_type'))
    const facts = settings(inputsOf(prompt, id))
    const height = HIGH + facts.length * LINE
    filled.set(at, y + height + GAP)
    const title = scalarText(partOf(partOf(prompt[id], '_meta'), 'title')) || type
    return { id, title, x: at * COLUMN, y, width: WIDE, height, hue: hueOf(type), facts, off: null }
  })
  return { boxes, links: ids.flatMap((id) => sources(prompt, id).map((source): Pair => [source, id])) }
}

/** A drawing of a graph in either format; null without nodes. */
export function drawGraph(graph: WorkflowGraph): Drawing | null {
  const ui = graph.workflow
  const nodes = ui && Array.isArray(ui.nodes) ? ui.nodes.filter(isObject) : []
  const drawn = ui ? editorBoxes(nodes, subgraphNames(ui)) : []
  const laid = drawn.length > 0 || !isObject(graph.output) ? null : layoutPrompt(graph.output)
  const boxes = laid?.boxes ?? drawn
  if (boxes.length === 0) return null
  const links = laid?.links ?? (ui && Array.isArray(ui.links) ? drawnLinks(ui.links) : [])
  const byId = new Map(boxes.map((box) => [box.id, box]))
  const lines = links.flatMap(([from, to], index): Line[] => {
    const start = byId.get(from)
    const end = byId.get(to)
    return start && end ? [{ key: `${from}-${to}-${index}`, path: curve(start, end) }] : []
  })
  const left = Math.min(...boxes.map((box) => box.x)) - MARGIN
  const top = Math.min(...boxes.map((box) => box.y)) - MARGIN
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN
  const total = laid ? Object.keys(graph.output ?? {}).length : nodes.length
  return { boxes, lines, x: left, y: top, width: right - left, height: bottom - top, total }
}

function curve(from: Box, to: Box): string {
  const [x1, y1] = [from.x + from.width, from.y + from.height / 2]
  const [x2, y2] = [to.x, to.y + to.height / 2]
  const bend = Math.max(40, Math.abs(x2 - x1) / 2)
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
