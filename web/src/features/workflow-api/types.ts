import type { components } from '@/shared/api/schema'
import type { WorkflowApi } from '@/shared/api/types'
import type { WidgetName } from '@/shared/ui/schema-form/read-form'

type Schemas = components['schemas']

/** Label, tooltip and what choices are called, in another language. */
export type InputWords = { name?: string; tooltip?: string; options?: Record<string, string> }

/** How an input shows in the form. Everything that is left out follows from the node. */
export type Adapter = {
  name?: string
  uiType?: WidgetName
  default?: unknown
  /** For seeds: whether the form starts in random mode. */
  isRandom?: boolean
  /** Limits that no number here holds are texts of their digits. */
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

/** One input of one node that the form may fill. */
export type InputEntry = {
  /** Place in the form, from 1. */
  order: number
  /** The node's id. */
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

/** One output node whose results the API gives. */
export type OutputEntry = {
  id: string
  /** Place among the results, from 1. */
  order: number
  name: string
  apiFieldName: string
  translations?: Record<string, { name?: string }>
}

/** What is set up: inputs keyed `id.name`, outputs keyed by the node's id. */
export type Setup = { inputs: Record<string, InputEntry>; outputs: Record<string, OutputEntry> }

/** One thing that does not stand on the workflow any more; `place` is `inputs.<key>` or `outputs.<key>`. */
export type HealthProblem = { place: string; code: string; message: string }

export type Health = { ok: boolean; problems: HealthProblem[] }

/** A workflow API as it is saved. */
export type SavedApi = Omit<WorkflowApi, 'health'> & Setup & { health: Health }

/** A node of the graph, and those of its inputs that a form can fill, by their names. */
export type EditorNode = Omit<Schemas['EditorNodeView'], 'inputs'> & {
  inputs: { required: Record<string, InputEntry>; optional: Record<string, InputEntry> }
}

/** What the editor starts from. */
export type Editor = Pick<Schemas['EditorView'], 'hasPrompt' | 'workflow'> & {
  nodes: EditorNode[]
  outputs: OutputEntry[]
  proposal: Setup
  saved: SavedApi | null
}

/** The form that a save would give, and what does not stand. */
export type Preview = { rjsf: Schemas['FormView']; health: Health }

/** Somebody else who may run the API and read how. */
export type SharedUser = {
  _id: string
  createdAt: string
  sharedUser: { _id: string; email: string; name: string }
}
