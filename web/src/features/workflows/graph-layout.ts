import type { WorkflowGraph } from '@/shared/api/types'

export type Box = {
  id: string
  title: string
  x: number
  y: number
  width: number
  height: number
  hue: number
  /** What the node is set to, a line each. */
  facts: string[]
  /** Why it does not run, where the editor switched it off. */
  off: 'muted' | 'bypassed' | null
}
export type Line = { key: string; path: string }
/** A drawing of a graph, in its own units. */
export type Drawing = {
  boxes: Box[]
  lines: Line[]
  x: number
  y: number
  width: number
  height: number
  /** How many nodes the graph has; those beyond the first are not drawn. */
  total: number
}

const MARGIN = 40
const WIDE = 230
const HIGH = 48
const LINE = 22
const COLUMN = 310
const GAP = 40
/** Settings that a node shows. */
const FACTS = 5
/** More nodes than these are not told apart in a picture. */
const MOST = 400

type Pair = [string, string]

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
/** The furthest from the middle that a node may stand. Beyond it stands nothing that anybody drew, and all else is lost. */
const FURTHEST = 100_000
const number = (value: unknown, other: number) => {
  // A number that is not written as this page would write it comes as text.
  const read = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof read === 'number' && Math.abs(read) <= FURTHEST ? read : other
}
const pair = (value: unknown): [unknown, unknown] => {
  if (Array.isArray(value)) return [value[0], value[1]]
  return isObject(value) ? [value[0], value[1]] : [undefined, undefined]
}

/** A text or a number as words. What else stands in a stored graph was written by another program, and says nothing here. */
const said = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Nodes of one class have one colour. */
const hueOf = (name: string): number => [...name].reduce((sum, c) => (sum * 31 + (c.codePointAt(0) ?? 0)) % 360, 7)

/** The names of subgraphs; the type of a node that stands for one is its id. */
function subgraphNames(graph: Record<string, unknown>): Map<string, string> {
  const definitions = isObject(graph.definitions) ? graph.definitions.subgraphs : []
  const known = (Array.isArray(definitions) ? definitions : []).filter(isObject)
  return new Map(known.flatMap(({ id, name }) => (typeof name === 'string' && name ? [[String(id), name]] : [])))
}

/** The editor's modes of nodes that do not run. */
const OFF: Record<string, Box['off'] | undefined> = { 2: 'muted', 4: 'bypassed' }

/** What the editor drew, as it drew it. */
function drawnBoxes(nodes: Record<string, unknown>[], names: Map<string, string>): Box[] {
  return nodes.slice(0, MOST).map((node) => {
    const [x, y] = pair(node.pos)
    const [width, height] = pair(node.size)
    const type = said(node.type)
    const own = said(node.title)
    const title = own === type ? '' : own
    return {
      id: said(node.id),
      title: title || (names.get(type) ?? type),
      x: number(x, 0),
      y: number(y, 0),
      width: Math.min(Math.max(number(width, WIDE), 60), 900),
      height: Math.min(Math.max(number(height, HIGH), 30), 900),
      hue: hueOf(type),
      facts: [],
      off: OFF[String(node.mode)] ?? null,
    }
  })
}

const drawnLinks = (links: unknown[]): Pair[] =>
  links.flatMap((link): Pair[] => {
    if (Array.isArray(link)) return [[said(link[1]), said(link[3])]]
    return isObject(link) ? [[said(link.origin_id), said(link.target_id)]] : []
  })

/** A prompt as it is stored: of its parts only those count that are what they should be. */
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
    .slice(0, FACTS)
    .map(([name, value]) => `${name}: ${value}`)

/** A prompt has no places: each node stands one column behind the last of those it waits for. */
function laidOut(prompt: Prompt): { boxes: Box[]; links: Pair[] } {
  const columns = new Map<string, number>()
  const column = (id: string, seen: string[]): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    if (seen.includes(id) || seen.length > MOST) return 0
    const found = Math.max(0, ...sources(prompt, id).map((source) => column(source, [...seen, id]) + 1))
    columns.set(id, found)
    return found
  }
  const filled = new Map<number, number>()
  const ids = Object.keys(prompt).slice(0, MOST)
  const boxes = ids.map((id): Box => {
    const at = column(id, [])
    const y = filled.get(at) ?? 0
    const type = said(partOf(prompt[id], 'class_type'))
    const facts = settings(inputsOf(prompt, id))
    const height = HIGH + facts.length * LINE
    filled.set(at, y + height + GAP)
    const title = said(partOf(partOf(prompt[id], '_meta'), 'title')) || type
    return { id, title, x: at * COLUMN, y, width: WIDE, height, hue: hueOf(type), facts, off: null }
  })
  return { boxes, links: ids.flatMap((id) => sources(prompt, id).map((source): Pair => [source, id])) }
}

/** A drawing of a graph in either spelling; nothing where there is no node. */
export function drawGraph(graph: WorkflowGraph): Drawing | null {
  const ui = graph.workflow
  const nodes = ui && Array.isArray(ui.nodes) ? ui.nodes.filter(isObject) : []
  const drawn = ui ? drawnBoxes(nodes, subgraphNames(ui)) : []
  const laid = drawn.length > 0 || !isObject(graph.output) ? null : laidOut(graph.output)
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
