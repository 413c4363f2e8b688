// A graph as it was imported, and what the front end makes of it. The front end changes a graph when it loads it: it adds
// and removes fields, sizes, sockets, links and nodes, and turns old group nodes into subgraphs. What the user has not
// changed since is written as it was imported.
//
// Licence: GPL-3.0-only (LICENSE.txt).
import { isRecord } from './graphs.js'
import { JsonText, roundedByNode, roundedOf, unchanged, write } from './numbers.js'

const snapshot = (value) => JSON.parse(JSON.stringify(value))

/** Whether two values are the same in JSON. The order of an object's keys does not matter. */
export function isSame(one, other) {
  if (Object.is(one, other)) return true
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((value, at) => isSame(value, other[at]))
  }
  if (!isRecord(one) || !isRecord(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => key in other && isSame(one[key], other[key]))
}

// ---------- what the user changed

/** Lists whose elements are compared one by one. All others are written as they are if anything in them has changed. */
const LISTS = new Set(['nodes', 'links', 'groups', 'reroutes', 'floatingLinks', 'subgraphs'])
/** Two forms of the same values: they change together. */
const VALUES = ['widgets_values', 'widgets_values_named']

/** What tells an element from others of its list. */
const keyOf = (element) => (Array.isArray(element) ? element[0] : element?.id)
const hasKey = (element) => keyOf(element) !== undefined

function find(list, element, at) {
  if (!hasKey(element)) return list[at]
  return list.find((one) => hasKey(one) && String(keyOf(one)) === String(keyOf(element)))
}

function mergedList(original, loaded, current) {
  if (original.length !== loaded.length) return current
  // The front end gives ids to groups that have none.
  const sources = loaded.map(
    (element, at) => find(original, element, at) ?? (hasKey(original[at]) ? undefined : original[at]),
  )
  return current.map((element, at) => {
    const before = find(loaded, element, at)
    const source = before === undefined ? undefined : sources[loaded.indexOf(before)]
    return source === undefined ? element : merged(source, before, element)
  })
}

function mergedRecord(original, loaded, current) {
  const members = []
  const hasNewValues = VALUES.some((key) => !isSame(loaded[key], current[key]))
  for (const key of new Set([...Object.keys(original), ...Object.keys(current)])) {
    const [source, before, now] = [original, loaded, current].map((one) => one[key])
    let value
    if (hasNewValues && VALUES.includes(key)) value = now
    else if (!(key in current)) value = key in loaded ? undefined : source
    else if (isSame(before, now)) value = source
    else value = key in original && key in loaded ? merged(source, before, now, key) : now
    if (value !== undefined) members.push([key, value])
  }
  return Object.fromEntries(members)
}

/** The current value, with the parts of the original that are as the front end loaded them. */
export function merged(original, loaded, current, key = '') {
  if (isSame(loaded, current)) return original
  if (isRecord(original) && isRecord(loaded) && isRecord(current) && !VALUES.includes(key)) {
    return mergedRecord(original, loaded, current)
  }
  const areLists = [original, loaded, current].every(Array.isArray)
  return areLists && LISTS.has(key) ? mergedList(original, loaded, current) : current
}

// ---------- what the front end changed

/** The front end removes these characters from the names of classes that it does not know. */
const sanitized = (type) => String(type).replace(/[&<>"'`=]/g, '')
const placeOf = ({ pos }) => (isRecord(pos) ? [pos[0], pos[1]] : pos)
/** The id and the ends of a link, in its own spelling. A damaged file may have any value in place of a link. */
function linkOf(link) {
  if (Array.isArray(link)) return link.slice(0, 4).map(String)
  return isRecord(link) ? { at: [link.id, link.origin_id, link.origin_slot, link.target_id].map(String) } : null
}
const recordsOf = (list) => (Array.isArray(list) ? list.filter(isRecord) : [])
/** Inputs with a link. The slots of links change with the inputs that the front end leaves out. */
const linkedInputs = ({ inputs }) =>
  recordsOf(inputs)
    .filter(({ link }) => link !== null && link !== undefined)
    .map(({ name, link }) => `${link} ${name}`)
    .sort()
const namesOf = (slots) => recordsOf(slots).map(({ name }) => name)
/** Links in any order. */
const linksOf = ({ links }) => (Array.isArray(links) ? links.map((link) => JSON.stringify(linkOf(link))).sort() : links)

function isConvertedNode(original, loaded) {
  return (
    loaded === undefined ||
    (original.type !== loaded.type && sanitized(original.type) !== loaded.type) ||
    !isSame(placeOf(original), placeOf(loaded)) ||
    !isSame(linkedInputs(original), linkedInputs(loaded)) ||
    Object.keys(original.properties ?? {}).some((key) => !(key in (loaded.properties ?? {})))
  )
}

/**
 * Whether the front end has rebuilt a graph: other nodes, links, places, or another version. Parts of it before and after
 * do not go together.
 */
export function isConverted(original, loaded) {
  const [nodes, loadedNodes] = [original.nodes ?? [], loaded.nodes ?? []]
  const definitions = recordsOf(original.definitions?.subgraphs)
  const loadedDefinitions = loaded.definitions?.subgraphs ?? []
  return (
    original.version !== loaded.version ||
    nodes.length !== loadedNodes.length ||
    nodes.some((node) => isConvertedNode(node, find(loadedNodes, node))) ||
    !isSame(linksOf(original), linksOf(loaded)) ||
    !isSame(namesOf(original.inputs), namesOf(loaded.inputs)) ||
    !isSame(namesOf(original.outputs), namesOf(loaded.outputs)) ||
    // It leaves out definitions that no node uses.
    loadedDefinitions.some((definition) => {
      const found = find(definitions, definition)
      return found === undefined || isConverted(found, definition)
    })
  )
}

/** Links name the place of their input, which changes where a node has other inputs now. */
function placeLinks(graph) {
  const places = new Map()
  for (const { inputs } of graph.nodes ?? []) {
    for (const [at, input] of (inputs ?? []).entries()) if (input?.link != null) places.set(input.link, at)
  }
  const placed = (link) => {
    const at = places.get(keyOf(link))
    if (at === undefined) return link
    return Array.isArray(link) ? link.with(4, at) : { ...link, target_slot: at }
  }
  const { links, definitions } = graph
  const subgraphs = definitions?.subgraphs?.map(placeLinks)
  return {
    ...graph,
    ...(links && { links: links.map(placed) }),
    ...(subgraphs && { definitions: { ...definitions, subgraphs } }),
  }
}

// ---------- one imported graph

/** The part of the screen that is shown is not part of the graph. */
function withoutView(graph) {
  if (!isRecord(graph.extra)) return graph
  const { ds: _, ...extra } = graph.extra
  return { ...graph, extra }
}

class Imported {
  #original
  #texts
  /** The graph as the front end had loaded it. */
  loaded = null

  constructor({ value, texts }) {
    this.#original = value
    this.#texts = texts
    /** Large integers, which may be at other places now. */
    this.rounded = roundedByNode(texts)
  }

  /** Tells what the front end has made of the graph, before the user changes anything. */
  load(graph) {
    this.loaded = snapshot(graph)
  }

  text(graph) {
    const current = snapshot(graph)
    const result = this.loaded ? this.result(this.#original, this.loaded, current) : current
    const [same, rounded] = [unchanged(this.#texts), roundedOf(this.rounded)]
    return write(result, (value, path) => same(value, path) ?? rounded(value, path))
  }
}

/** Viewers of 3D models set their camera some time after they are loaded. */
const LATE_PROPERTY = 'Camera Config'

/** A graph in the format of the editor. */
export class ImportedWorkflow extends Imported {
  /** Tells what the front end has made of the graph since, as long as the user has done nothing. */
  settle(graph) {
    const settleNodes = (loaded, current) => {
      for (const node of current.nodes ?? []) {
        const [before, value] = [find(loaded.nodes ?? [], node), node.properties?.[LATE_PROPERTY]]
        if (before && value) before.properties = { ...before.properties, [LATE_PROPERTY]: snapshot(value) }
      }
      for (const definition of current.definitions?.subgraphs ?? []) {
        const before = find(loaded.definitions?.subgraphs ?? [], definition)
        if (before) settleNodes(before, definition)
      }
    }
    if (this.loaded) settleNodes(this.loaded, graph)
  }

  result(original, loaded, current) {
    if (isSame(withoutView(loaded), withoutView(current))) return original
    return isConverted(original, loaded) ? current : placeLinks(merged(original, loaded, current))
  }
}

/** A prompt. Nodes that the front end has given other ids keep them: the graph of the editor has the same. */
export class ImportedPrompt extends Imported {
  result(original, loaded, current) {
    const ids = [original, loaded].map((prompt) => Object.keys(prompt).sort())
    return isSame(...ids) ? merged(original, loaded, current) : current
  }
}

// ---------- texts of a tab

/** The tab's graph. What was imported as a prompt has its large integers, too. */
export const workflowText = ({ workflow, prompt }, graph) =>
  workflow?.text(graph) ?? write(graph, roundedOf(prompt?.rounded))

/** The tab's prompt. What was imported as a graph has its large integers, too. */
export const promptText = ({ workflow, prompt }, output) =>
  prompt?.text(output) ?? write(output, roundedOf(workflow?.rounded))

/** A request's body that queues the tab's prompt, with its workflow here, and without an account at Comfy Org. */
export function promptBody(text, tab) {
  const body = JSON.parse(text)
  const { auth_token_comfy_org: _, api_key_comfy_org: __, ...extra } = body.extra_data ?? {}
  const { workflow } = extra.extra_pnginfo ?? {}
  const info = workflow && {
    extra_pnginfo: { ...extra.extra_pnginfo, workflow: new JsonText(workflowText(tab, workflow)) },
  }
  const prompt = new JsonText(promptText(tab, body.prompt))
  return write({ ...body, prompt, extra_data: { ...extra, ...info, platform: { flow: tab.flow } } }, () => undefined)
}
