import { parseExact } from '@/shared/lib/exact-json'
import type { SentGraph } from './model'

/** Node classes and models of a graph that no connected worker has. */
export type Missing = { nodes: string[]; models: string[] }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])

/** Nodes that only the editor uses; the same list as the server's (`drawn_classes`). */
const OF_THE_EDITOR = ['Note', 'MarkdownNote', 'Reroute', 'PrimitiveNode']
const isGroup = (name: string) => /^workflow[/>]/.test(name)

const MODEL = /\.(safetensors|sft|ckpt|pt|pth|gguf|onnx)$/i
/** Windows workers write paths with backslashes. */
const normalizePath = (path: string) => path.replaceAll('\\', '/')

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!isObject(value)) return []
  return Object.values(value).flatMap(texts)
}

type Used = { name: string; values: unknown }

/** The nodes of an editor graph including subgraphs, without the editor's own nodes. */
function editorNodes(workflow: unknown): Used[] {
  if (!isObject(workflow)) return []
  const definitions = isObject(workflow.definitions) ? workflow.definitions : {}
  const subgraphs = list(definitions.subgraphs).filter(isObject)
  const own = new Set([...OF_THE_EDITOR, ...subgraphs.flatMap(({ id }) => textOf(id))])
  const nodes = [...list(workflow.nodes), ...subgraphs.flatMap((subgraph) => list(subgraph.nodes))].filter(isObject)
  return nodes
    .flatMap(({ type, widgets_values }) => textOf(type).map((name) => ({ name, values: widgets_values })))
    .filter(({ name }) => !own.has(name) && !isGroup(name))
}

const promptNodes = (output: unknown): Used[] =>
  Object.values(isObject(output) ? output : {})
    .filter(isObject)
    .flatMap(({ class_type, inputs }) => textOf(class_type).map((name) => ({ name, values: inputs })))

/** What the workers have: node classes, and models from the choices of their inputs. */
function availableNames(objectInfo: Record<string, unknown>): Set<string> {
  const inputs = Object.values(objectInfo).flatMap((node) =>
    isObject(node) && isObject(node.input) ? [node.input] : [],
  )
  return new Set(
    texts(inputs)
      .filter((text) => MODEL.test(text))
      .map(normalizePath),
  )
}

/** What is missing for a graph, without duplicates, in order of use. */
export function missingOf({ output, workflow }: SentGraph, objectInfo: Record<string, unknown>): Missing {
  // The prompt is what runs; a drawing may contain more.
  const nodes = output === undefined ? editorNodes(parseExact(workflow ?? '{}')) : promptNodes(parseExact(output))
  const models = availableNames(objectInfo)
  const named = nodes.flatMap(({ values }) => texts(values)).filter((text) => MODEL.test(text.trim()))
  return {
    nodes: [...new Set(nodes.map(({ name }) => name))].filter((name) => !Object.hasOwn(objectInfo, name)),
    models: [...new Set(named)].filter((name) => !models.has(normalizePath(name))),
  }
}
