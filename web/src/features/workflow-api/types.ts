import type { components } from '@/shared/api/schema'
import type { WorkflowApi } from '@/shared/api/types'
import type { WidgetName } from '@/shared/ui/schema-form/read-form'

type Schemas = components['schemas']

export type InputWords = { name?: string; tooltip?: string; options?: Record<string, string> }

/** How an input is shown in the form. Missing values follow from the node. */
export type Adapter = {
  name?: string
  uiType?: WidgetName
  default?: unknown
  /** For seeds: whether the form starts in random mode. */
  isRandom?: boolean
  /** For files: whether a run may go without. It leaves out the nodes that require the file. */
  isOptional?: boolean
  /** Limits beyond JavaScript's numbers are strings of digits. */
  min?: number | string
  max?: number | string
  step?: number | string
  /** Empty keeps the input out of the form. */
  apiFieldName?: string
  tooltip?: string
  options?: unknown[]
  comboOptions?: unknown[]
  translations?: Record<string, InputWords>
}

export type InputEntry = {
  /** Position in the form, from 1. */
  order: number
  id: string
  kind: string
  name: string
  nodeName: string
  nodeDisplayName: string
  pythonModuleName: string
  /** The worker's definition: its type, then its options. */
  raw: unknown
  adapter: Adapter
}

/** One output node whose results the API returns. */
export type OutputEntry = {
  id: string
  /** Position among the results, from 1. */
  order: number
  name: string
  apiFieldName: string
  translations?: Record<string, { name?: string }>
}

/** Inputs by `id.name`, outputs by the node's id. */
export type Setup = { inputs: Record<string, InputEntry>; outputs: Record<string, OutputEntry> }

/** An entry that does not match the workflow any more; `place` is `inputs.<key>` or `outputs.<key>`. */
export type HealthProblem = { place: string; code: string; message: string }

type Health = { ok: boolean; problems: HealthProblem[] }

export type SavedApi = Omit<WorkflowApi, 'health'> & Setup & { health: Health }

/** A node of the graph and its inputs that a form can fill, by name. */
export type EditorNode = Omit<Schemas['EditorNodeView'], 'inputs'> & {
  inputs: { required: Record<string, InputEntry>; optional: Record<string, InputEntry> }
}

export type Editor = Pick<Schemas['EditorView'], 'hasPrompt' | 'workflow'> & {
  nodes: EditorNode[]
  outputs: OutputEntry[]
  proposal: Setup
  /** Of an app that the workflow brings, which is the proposal then: what a mini app cannot have. */
  dropped?: string[] | undefined
  saved: SavedApi | null
}

export type Preview = { rjsf: Schemas['FormView']; health: Health }

/** A user who may run the API and read how. */
export type SharedUser = {
  _id: string
  createdAt: string
  sharedUser: { _id: string; email: string; name: string }
}
