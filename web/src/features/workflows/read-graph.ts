import { parseExact, rawFields, withoutMark } from '@/shared/lib/exact-json'
import { isRecord } from '@/shared/lib/is-record'
import type { SentGraph } from './model'

export type ReadGraph = { graph: SentGraph; dropped: string[] }

const isNode = (value: unknown): boolean => isRecord(value) && typeof value.class_type === 'string'

/** Keys that a prompt file may have besides nodes. */
const isBeside = (name: string, value: unknown): boolean =>
  !isRecord(value) || !('class_type' in value || 'inputs' in value) || name === 'extra'

/** The nodes of a prompt in API format, as raw text; null if it is none. */
function promptOf(value: unknown, text: string | undefined): { output: string; dropped: string[] } | null {
  if (!isRecord(value) || text === undefined) return null
  const others = Object.keys(value).filter((name) => !isNode(value[name]))
  if (others.length === Object.keys(value).length || !others.every((name) => isBeside(name, value[name]))) return null
  if (others.length === 0) return { output: text, dropped: [] }
  const nodes = [...rawFields(text)].filter(([name]) => !others.includes(name))
  return { output: `{${nodes.map(([name, node]) => `${JSON.stringify(name)}:${node}`).join(',')}}`, dropped: others }
}

const isDrawn = (value: unknown): boolean => isRecord(value) && Array.isArray(value.nodes)

/** Parses a file saved by ComfyUI or this platform: an editor graph, a prompt, or both. */
export function readGraph(file: string): ReadGraph | null {
  const text = withoutMark(file).trim()
  let value: unknown
  try {
    value = parseExact(text)
  } catch {
    return null
  }
  if (!isRecord(value)) return null
  const whole: Record<string, unknown> = value
  if (isDrawn(whole)) return { graph: { workflow: text }, dropped: [] }
  const fields = rawFields(text)
  const prompt = ['output', 'prompt'].flatMap((name) => promptOf(whole[name], fields.get(name)) ?? [])[0]
  const workflow = isDrawn(whole.workflow) ? fields.get('workflow') : undefined
  if (prompt || workflow) {
    const taken = new Set(['workflow', 'output', 'prompt'])
    const dropped = Object.keys(whole).filter((name) => !taken.has(name) && !isNode(whole[name]))
    return {
      graph: { ...(workflow && { workflow }), ...(prompt && { output: prompt.output }) },
      dropped: [...dropped, ...(prompt?.dropped ?? [])],
    }
  }
  const bare = promptOf(whole, text)
  return bare && { graph: { output: bare.output }, dropped: bare.dropped }
}
