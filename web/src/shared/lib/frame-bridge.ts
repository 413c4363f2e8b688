import { isRecord } from './is-record'

/** An output node that the editor reports. */
export type OutputNodeDef = { id: string; name: string; title: string }

/** A graph as the editor reports it, in both formats, each as JSON text. */
export type FrameGraph = { workflow: string | null; prompt: string | null }

/** The editor's tab that has a graph. `flow` is its workflow, null for a new one; undefined if the editor does not say. */
export type FrameTab = { flow?: string | null; tab?: string; name?: string }

/** The graph of the active tab, as the answer to a request. */
export type SentGraph = FrameGraph & FrameTab & { requestId: string }

/** The app that a workflow of ComfyUI carries: a form of these inputs, and these results. */
export type FrameApp = { inputs: number; outputs: number }

/** A message from the editor to the page. `flow` is the workflow of the editor's active tab, if the editor says so. */
export type FrameMessage =
  | { type: 'editorReady'; version: string }
  | { type: 'outputNodeDefs'; nodes: OutputNodeDef[]; flow?: string | null }
  | { type: 'nodeClick'; nodeId: string }
  | { type: 'moveToNode.done'; nodeId: string; ok: boolean }
  /** The answer to `getGraph`. */
  | ({ type: 'graph' } & SentGraph)
  /** The graph changed in the editor. */
  | { type: 'graphChanged' }
  /** The user saves in the editor, such as by Ctrl+S. */
  | { type: 'saveRequested' }
  /** A prompt was queued; `promptId` is the job. */
  | { type: 'queued'; promptId: string | null }
  | { type: 'noCredits' }
  | { type: 'openBilling' }
  | { type: 'unauthorized' }
  | { type: 'loadFailed'; status: number }
  /** The user draws a mask on the picture of a node. `value` is empty without a picture, and null without a node. */
  | { type: 'maskRequested'; nodeId: string; value: string | null }
  /** A file carries a graph. It opens when the page agrees. */
  | { type: 'importFound'; importId: string; name: string }
  /** A file carries no graph, or one that cannot be opened. */
  | { type: 'importFailed'; name: string; reason: 'empty' | 'unreadable' }
  /** A graph of a file is open in a new tab. */
  | { type: 'imported'; name: string; app: FrameApp | null }

/** A message from the page to the editor. */
export type PageMessage =
  | { type: 'moveToNode'; nodeId: string }
  | { type: 'getGraph'; requestId: string }
  /**
   * Loads a graph, in either format, as JSON text. `flow` is its workflow, null for a new one. `tab` is the tab whose
   * graph it replaces.
   */
  | { type: 'loadWorkflow'; workflow: string; name: string; flow: string | null; tab?: string }
  /** The graph that answered this request was saved as this workflow. */
  | { type: 'graphSaved'; flow: string; name: string; requestId: string }
  /** Puts an uploaded file into this image node, else into the selected one, or into a new one. */
  | { type: 'insertImage'; name: string; nodeId?: string }
  /** Asks for the picture of the selected image node, or of the only one. */
  | { type: 'drawMask' }
  /** Reads a file that may carry a graph. */
  | { type: 'importFile'; file: File }
  /** Opens the graph of a file in a new tab. */
  | { type: 'openImport'; importId: string }
  | { type: 'credits'; credits: number }

/** A graph that the page controls: a frame with the editor, or our own drawing. */
export type GraphBridge = {
  /** Scrolls a node into view. */
  moveToNode: (nodeId: string) => void
  /** Subscribes to messages of the graph. The returned function unsubscribes. */
  listen: (onMessage: (message: FrameMessage) => void) => () => void
}

/** A frame with the editor. */
export type FrameBridge = GraphBridge & {
  send: (message: PageMessage) => void
  /** Asks for the graph as it is now. Fails without an answer. */
  graph: () => Promise<SentGraph>
}

/** No graph has more nodes; a longer list is rejected. */
const MAX_NODES = 2000
const MAX_LENGTH = 200
/** Of a file's path in the input folder. */
const MAX_PATH = 1000
/** The server's limit of a request is lower. */
const MAX_GRAPH_LENGTH = 16_000_000
/** Collecting a very large graph takes seconds. */
const GRAPH_TIMEOUT_MS = 15_000

/** Ids are numbers in the editor and strings in a prompt. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_LENGTH) : '')

/** The workflow of the active tab. `undefined` if the message does not name one. */
function flowOf(value: unknown): { flow?: string | null } {
  if (value === undefined) return {}
  return { flow: idOf(value) }
}

/** An object, or its JSON text. `undefined` for anything else. */
function graphText(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null
  const text = typeof value === 'string' ? value : isRecord(value) ? JSON.stringify(value) : undefined
  return text?.startsWith('{') && text.length <= MAX_GRAPH_LENGTH ? text : undefined
}

type Parser = (message: Record<string, unknown>) => FrameMessage | null

function nodeDefs(message: Record<string, unknown>): FrameMessage | null {
  if (!Array.isArray(message.nodes) || message.nodes.length > MAX_NODES) return null
  const nodes: OutputNodeDef[] = []
  for (const node of message.nodes) {
    const id = isRecord(node) ? idOf(node.id ?? node.nodeId) : null
    if (!isRecord(node) || id === null) return null
    // The editor reports all nodes, and which of them give outputs.
    if (node.output === false) continue
    nodes.push({ id, name: textOf(node.name ?? node.type), title: textOf(node.title) })
  }
  return { type: 'outputNodeDefs', nodes, ...flowOf(message.flow) }
}

function graph(message: Record<string, unknown>): FrameMessage | null {
  const requestId = idOf(message.requestId)
  const [workflow, prompt] = [graphText(message.workflow), graphText(message.prompt)]
  if (requestId === null || workflow === undefined || prompt === undefined) return null
  const [tab, name] = [idOf(message.tab), textOf(message.name)]
  const of = { ...flowOf(message.flow), ...(tab !== null && { tab }), ...(name && { name }) }
  return { type: 'graph', requestId, workflow, prompt, ...of }
}

function importFailed(message: Record<string, unknown>): FrameMessage {
  return {
    type: 'importFailed',
    name: textOf(message.name),
    reason: message.reason === 'empty' ? 'empty' : 'unreadable',
  }
}

/** Counts of another type, and of more than a graph has nodes, are none. */
function appOf(value: unknown): FrameApp | null {
  if (!isRecord(value)) return null
  const [inputs, outputs] = [value.inputs, value.outputs].map((count) =>
    typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && count <= MAX_NODES ? count : 0,
  )
  return inputs || outputs ? { inputs: inputs ?? 0, outputs: outputs ?? 0 } : null
}

const PARSERS: { [K in FrameMessage['type']]: Parser } = {
  editorReady: ({ version }) => ({ type: 'editorReady', version: textOf(version) }),
  outputNodeDefs: nodeDefs,
  nodeClick: (message) => {
    const nodeId = idOf(message.nodeId)
    return nodeId === null ? null : { type: 'nodeClick', nodeId }
  },
  'moveToNode.done': (message) => {
    const nodeId = idOf(message.nodeId)
    return nodeId === null ? null : { type: 'moveToNode.done', nodeId, ok: message.ok === true }
  },
  graph,
  graphChanged: () => ({ type: 'graphChanged' }),
  saveRequested: () => ({ type: 'saveRequested' }),
  queued: ({ promptId }) => ({ type: 'queued', promptId: idOf(promptId) }),
  noCredits: () => ({ type: 'noCredits' }),
  openBilling: () => ({ type: 'openBilling' }),
  unauthorized: () => ({ type: 'unauthorized' }),
  maskRequested: ({ nodeId, value }) => ({
    type: 'maskRequested',
    nodeId: idOf(nodeId) ?? '',
    // A longer name is no file's.
    value: typeof value === 'string' && value.length <= MAX_PATH ? value : null,
  }),
  importFound: (message) => {
    const importId = idOf(message.importId)
    return importId === null ? null : { type: 'importFound', importId, name: textOf(message.name) }
  },
  importFailed,
  imported: ({ name, app }) => ({ type: 'imported', name: textOf(name), app: appOf(app) }),
  loadFailed: ({ status }) => ({ type: 'loadFailed', status: Number.isSafeInteger(status) ? Number(status) : 0 }),
}

/** Parses a message; null if it is unknown. */
export function parseMessage(message: unknown): FrameMessage | null {
  if (!isRecord(message) || typeof message.type !== 'string' || !Object.hasOwn(PARSERS, message.type)) return null
  return PARSERS[message.type as FrameMessage['type']](message)
}

/**
 * Connects to the editor in a frame. Only messages of a known shape, from this frame's window and from this origin
 * count. Outgoing messages reach no other origin.
 */
export function frameBridge(frame: () => Window | null, origin: string, page: Window = window): FrameBridge {
  const send = (message: PageMessage) => frame()?.postMessage(message, origin)
  const listen: GraphBridge['listen'] = (onMessage) => {
    const read = (event: MessageEvent) => {
      const source = frame()
      if (source === null || event.source !== source || event.origin !== origin) return
      const message = parseMessage(event.data)
      if (message) onMessage(message)
    }
    page.addEventListener('message', read)
    return () => page.removeEventListener('message', read)
  }
  let requests = 0
  return {
    send,
    listen,
    moveToNode: (nodeId) => send({ type: 'moveToNode', nodeId }),
    graph: () =>
      new Promise((resolve, reject) => {
        requests += 1
        const requestId = `graph-${requests}`
        const end = () => {
          stop()
          clearTimeout(timer)
        }
        const stop = listen((message) => {
          if (message.type !== 'graph' || message.requestId !== requestId) return
          end()
          const { type: _, ...sent } = message
          resolve(sent)
        })
        const timer = setTimeout(() => {
          end()
          reject(new Error('the editor did not send its graph'))
        }, GRAPH_TIMEOUT_MS)
        send({ type: 'getGraph', requestId })
      }),
  }
}

/** The same interface for a graph that the page draws itself. */
export function localBridge(show: (nodeId: string) => void): GraphBridge & { emit: (message: FrameMessage) => void } {
  const listeners = new Set<(message: FrameMessage) => void>()
  return {
    moveToNode: show,
    listen: (onMessage) => {
      listeners.add(onMessage)
      return () => void listeners.delete(onMessage)
    },
    emit: (message) => {
      for (const onMessage of [...listeners]) onMessage(message)
    },
  }
}
