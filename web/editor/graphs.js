// The two formats of graphs.
//
// Licence: GPL-3.0-only (LICENSE.txt).

export const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** The editor's format. */
export const isWorkflow = (value) => isRecord(value) && Array.isArray(value.nodes)
export const isNode = (value) => isRecord(value) && typeof value.class_type === 'string'
/** A prompt, which is also called the API format. */
export const isPrompt = (value) =>
  isRecord(value) &&
  Object.keys(value).length > 0 &&
  Object.values(value).every((node) => isNode(node) && isRecord(node.inputs))

/** A graph without nodes. */
export const blank = () => ({
  last_node_id: 0,
  last_link_id: 0,
  nodes: [],
  links: [],
  groups: [],
  config: {},
  extra: {},
  version: 0.4,
})

const listOf = (value) => (isRecord(value) ? Object.values(value) : Array.isArray(value) ? value : [])
const FIELDS = ['id', 'origin_id', 'origin_slot', 'target_id', 'target_slot', 'type']
const asArray = (link) => (Array.isArray(link) ? link : FIELDS.map((field) => link[field]))
const asObject = (link) =>
  Array.isArray(link) ? Object.fromEntries(FIELDS.map((field, at) => [field, link[at]])) : link

/**
 * A graph that the front end can load: it takes links as arrays in version 0.4, and as objects in version 1, and no null in
 * place of a node, a link or a part of the graph.
 */
export function loadable(graph) {
  const { version, nodes, links, definitions, ...rest } = graph
  const isFirst = version === 1
  const parts = Object.entries(rest).filter(([, part]) => part !== null)
  const known = listOf(links).filter((link) => Array.isArray(link) || isRecord(link))
  const subgraphs = listOf(definitions?.subgraphs).filter(isWorkflow)
  return {
    ...Object.fromEntries(parts),
    version: isFirst ? 1 : 0.4,
    nodes: nodes.filter((node) => isRecord(node) && typeof node.type === 'string'),
    links: known.map(isFirst ? asObject : asArray),
    // Subgraphs exist in version 1 alone.
    ...(isRecord(definitions) && {
      definitions: { ...definitions, subgraphs: subgraphs.map((one) => loadable({ ...one, version: 1 })) },
    }),
  }
}

/** All nodes, those of subgraphs too, with the ids that a prompt has: `10:6` is node 6 in subgraph node 10. */
export function* nodesOf(graph, prefix = '') {
  for (const node of graph?._nodes ?? []) {
    const id = `${prefix}${node.id}`
    yield { node, id }
    if (node.subgraph) yield* nodesOf(node.subgraph, `${id}:`)
  }
}
