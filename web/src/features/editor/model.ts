import type { EditorSource } from '@/shared/api/editor'
import type { Workflow } from '@/shared/api/types'
import { parseExact } from '@/shared/lib/exact-json'
import type { FrameGraph } from '@/shared/lib/frame-bridge'
import { isRecord } from '@/shared/lib/is-record'
import { freeText, oneOf, type ParamsOf, urlParams } from '@/shared/lib/url-params'

export const EDITOR_PARAMS = urlParams({
  /** A workflow. */
  flow: freeText(),
  /** An output asset. */
  image: freeText(),
  job: freeText(),
  new: oneOf(['', 'true'], ''),
  readonly: oneOf(['', 'true'], ''),
})

export type EditorQuery = ParamsOf<typeof EDITOR_PARAMS>

/** What the address asks for. A workflow wins over a picture, and a picture over a job. */
export function sourceOf(query: EditorQuery): EditorSource {
  if (query.flow) return { flow: query.flow, ...(query.readonly && query.image && { image: query.image }) }
  if (query.image) return { image: query.image }
  if (query.job) return { job: query.job }
  return query.new === 'true' ? { new: 'true' } : {}
}

/** Length of a project's name. */
export const MAX_NAME = 100

/** The graph that is open in the editor. */
export type Project = {
  /** Its workflow; null while it was never saved. */
  flow: string | null
  /** The editor's tab of a project without a workflow. */
  tab?: string | undefined
  name: string
  /** The version that the editor's graph began as. */
  version: number | null
  /** Whether saving changes the workflow. Another user's is saved as a copy. */
  own: boolean
}

/** A project that was never saved. */
export const blankProject = (name: string): Project => ({ flow: null, name, version: null, own: true })

/** The project of a saved workflow, for this user. */
export const projectOf = ({ _id, name, version, user }: Workflow, me: string): Project => ({
  flow: _id,
  name,
  version,
  own: user?._id === me,
})

/** Tells apart the projects that are open in tabs of the editor. */
export const keyOf = ({ flow, tab }: Pick<Project, 'flow' | 'tab'>): string => flow ?? `new ${tab ?? ''}`

/** Parts of a graph that change without an edit: the visible section, and the editor's own version. */
const VIEW_FIELDS = ['ds', 'frontendVersion', 'workflowRendererVersion']

/** A text of the editor's graph that is equal for graphs that differ only in what is visible. */
export function comparable(workflow: string | null): string {
  if (workflow === null) return ''
  const graph = parseExact(workflow)
  if (!isRecord(graph) || !isRecord(graph.extra)) return JSON.stringify(graph)
  const extra = Object.fromEntries(Object.entries(graph.extra).filter(([key]) => !VIEW_FIELDS.includes(key)))
  return JSON.stringify({ ...graph, extra })
}

/** Whether a graph has nodes. */
export function hasNodes(workflow: string | null): boolean {
  const graph = workflow === null ? null : parseExact(workflow)
  return isRecord(graph) && Array.isArray(graph.nodes) && graph.nodes.length > 0
}

/** The part of a request body with a graph, as raw text: parsing would change large numbers. */
export const graphBody = ({ workflow, prompt }: FrameGraph): string =>
  `{"workflow":${workflow ?? 'null'},"output":${prompt ?? 'null'}}`

/** A file name without characters that file systems refuse. */
export const fileNameOf = (name: string): string =>
  name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are refused too.
    .replace(/[\u0000-\u001f/\\:*?"<>|]/g, '-')
    .trim() || 'workflow'

/** The file name of an export. `.json` is appended when requested, unless it is there. */
export function exportName(name: string, appends: boolean): string {
  const file = fileNameOf(name)
  return appends && !/\.json$/i.test(file) ? `${file}.json` : file
}
