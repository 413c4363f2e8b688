import type { WorkflowGraph } from '@/shared/api/types'
import { isRecord } from '@/shared/lib/is-record'

/** A value of a node before and after. Null where it did not exist. */
export type ValueChange = { name: string; before: string | null; after: string | null }

export type NodeChange = {
  id: string
  type: string
  title: string
  kind: 'added' | 'removed' | 'changed'
  values: ValueChange[]
}

type Node = { type: string; title: string; values: Map<string, string> }
type Nodes = Map<string, Node>

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

const MODES: Record<string, string> = { '2': 'mute', '4': 'bypass' }

/** A link to an output of another node, as a prompt writes it. */
const isLink = (value: unknown): value is [string | number, number] =>
  Array.isArray(value) &&
  value.length === 2 &&
  ['string', 'number'].includes(typeof value[0]) &&
  typeof value[1] === 'number'

/**
 * The nodes and values that differ between two graphs. Places, sizes, colours and groups do not count. Values have the
 * names of inputs where both graphs have a prompt; else widgets are numbered.
 */
export function compareGraphs(before: WorkflowGraph, after: WorkflowGraph): NodeChange[] {
  const named = before.output !== null && after.output !== null
  const [old, fresh] = [nodesOf(before, named), nodesOf(after, named)]
  const changes: NodeChange[] = []
  for (const id of new Set([...old.keys(), ...fresh.keys()])) {
    const [was, is] = [old.get(id), fresh.get(id)]
    const replaced = was && is && was.type !== is.type
    if (was && (!is || replaced)) changes.push(changeOf(id, 'removed', was, was, undefined))
    if (is && (!was || replaced)) changes.push(changeOf(id, 'added', is, undefined, is))
    if (was && is && !replaced) {
      const change = changeOf(id, 'changed', is, was, is)
      if (change.values.length > 0) changes.push(change)
    }
  }
  return changes.sort((one, other) => one.id.localeCompare(other.id, 'en', { numeric: true }))
}

function changeOf(
  id: string,
  kind: NodeChange['kind'],
  { type, title }: Node,
  was: Node | undefined,
  is: Node | undefined,
): NodeChange {
  const names = new Set([...(was?.values.keys() ?? []), ...(is?.values.keys() ?? [])])
  // A muted node is in no prompt, so its values have other names than before.
  const isMuted = was && is && was.values.get('mode') !== is.values.get('mode')
  const values = [...names].flatMap((name): ValueChange[] => {
    const [before, after] = [was?.values.get(name) ?? null, is?.values.get(name) ?? null]
    if (before === after || (isMuted && name !== 'mode' && name !== 'title')) return []
    return [{ name, before, after }]
  })
  return { id, type, title, kind, values }
}

function nodesOf({ workflow, output }: WorkflowGraph, named: boolean): Nodes {
  const nodes: Nodes = new Map()
  if (isRecord(workflow)) {
    drawnNodes(nodes, workflow, '', named)
    const { subgraphs } = isRecord(workflow.definitions) ? workflow.definitions : { subgraphs: [] }
    for (const graph of Array.isArray(subgraphs) ? subgraphs.filter(isRecord) : []) {
      // A prompt has the inner nodes below each use of the subgraph.
      if (!named) drawnNodes(nodes, graph, `${textOf(graph.name ?? graph.id)}:`, named)
    }
  }
  if (!named && nodes.size > 0) return nodes
  for (const [id, node] of Object.entries(output ?? {})) {
    const known = nodes.get(id)
    const values = known?.values ?? new Map<string, string>()
    for (const [name, value] of Object.entries(node.inputs ?? {})) {
      values.set(name, isLink(value) ? `#${value[0]} [${value[1]}]` : textOf(value))
    }
    nodes.set(id, { type: node.class_type, title: known?.title ?? node._meta?.title ?? node.class_type, values })
  }
  return nodes
}

/** The nodes of a graph in the editor's format. With `named`, their values come from the prompt. */
function drawnNodes(into: Nodes, graph: Record<string, unknown>, prefix: string, named: boolean): void {
  for (const node of Array.isArray(graph.nodes) ? graph.nodes.filter(isRecord) : []) {
    const type = textOf(node.type)
    const values = new Map<string, string>([['title', textOf(node.title ?? type)]])
    const mode = MODES[textOf(node.mode)]
    if (mode) values.set('mode', mode)
    if (!named || !isPromptNode(node)) widgetsOf(node.widgets_values, values)
    into.set(`${prefix}${textOf(node.id)}`, { type, title: textOf(node.title ?? type), values })
  }
}

/** Notes are in no prompt, and muted and bypassed nodes neither. */
const isPromptNode = (node: Record<string, unknown>): boolean =>
  !/^(Markdown)?Note$/.test(textOf(node.type)) && MODES[textOf(node.mode)] === undefined

function widgetsOf(widgets: unknown, into: Map<string, string>): void {
  if (!Array.isArray(widgets) && !isRecord(widgets)) return
  for (const [name, value] of Object.entries(widgets)) {
    into.set(Array.isArray(widgets) ? `${Number(name) + 1}` : name, textOf(value))
  }
}
