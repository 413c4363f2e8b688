import { parseExact } from '@/shared/lib/exact-json'
import type { SentGraph } from './model'

/** What of a graph no connected worker has: classes of nodes, and names of models. */
export type Missing = { nodes: string[]; models: string[] }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])

/** Drawn and resolved by the editor alone, as the server has it (`drawn_classes`). */
const OF_THE_EDITOR = ['Note', 'MarkdownNote', 'Reroute', 'PrimitiveNode']
const isGroup = (name: string) => /^workflow[/>]/.test(name)

/** What a name of a model ends with. Texts that end so are names of files that only a worker can have. */
const MODEL = /\.(safetensors|sft|ckpt|pt|pth|gguf|onnx)$/i
/** Windows and Linux workers write the same path in two ways. */
const spelling = (path: string) => path.replaceAll('\\', '/')

/** All texts in a value, however deep. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!isObject(value)) return []
  return Object.values(value).flatMap(texts)
}

type Used = { name: string; values: unknown }

/** The nodes of what the editor draws, those in subgraphs too, without what the editor has of its own. */
function drawn(workflow: unknown): Used[] {
  if (!isObject(workflow)) return []
  const definitions = isObject(workflow.definitions) ? workflow.definitions : {}
  const subgraphs = list(definitions.subgraphs).filter(isObject)
  const own = new Set([...OF_THE_EDITOR, ...subgraphs.flatMap(({ id }) => textOf(id))])
  const nodes = [...list(workflow.nodes), ...subgraphs.flatMap((subgraph) => list(subgraph.nodes))].filter(isObject)
  return nodes
    .flatMap(({ type, widgets_values }) => textOf(type).map((name) => ({ name, values: widgets_values })))
    .filter(({ name }) => !own.has(name) && !isGroup(name))
}

/** The nodes of a prompt in API format. */
const prompted = (output: unknown): Used[] =>
  Object.values(isObject(output) ? output : {})
    .filter(isObject)
    .flatMap(({ class_type, inputs }) => textOf(class_type).map((name) => ({ name, values: inputs })))

/** What the workers have, made of their answer about nodes: a class by its name, models in the lists of their inputs. */
function known(objectInfo: Record<string, unknown>): Set<string> {
  const inputs = Object.values(objectInfo).flatMap((node) =>
    isObject(node) && isObject(node.input) ? [node.input] : [],
  )
  return new Set(
    texts(inputs)
      .filter((text) => MODEL.test(text))
      .map(spelling),
  )
}

/** What of a graph is missing, each once, in the order in which it is used. */
export function missingOf({ output, workflow }: SentGraph, objectInfo: Record<string, unknown>): Missing {
  // What runs is the prompt; a drawing may have more in it than that.
  const nodes = output === undefined ? drawn(parseExact(workflow ?? '{}')) : prompted(parseExact(output))
  const models = known(objectInfo)
  const named = nodes.flatMap(({ values }) => texts(values)).filter((text) => MODEL.test(text.trim()))
  return {
    nodes: [...new Set(nodes.map(({ name }) => name))].filter((name) => !Object.hasOwn(objectInfo, name)),
    models: [...new Set(named)].filter((name) => !models.has(spelling(name))),
  }
}
