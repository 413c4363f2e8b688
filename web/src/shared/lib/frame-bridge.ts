/** An output node that the editor reports. */
export type OutputNodeDef = { id: string; name: string; title: string }

/** A message from the editor to the page. */
export type FrameMessage = { type: 'outputNodeDefs'; nodes: OutputNodeDef[] } | { type: 'nodeClick'; nodeId: string }

/** A graph that the page controls: a frame with the editor, or our own drawing. */
export type GraphBridge = {
  /** Scrolls a node into view. */
  moveToNode: (nodeId: string) => void
  /** Subscribes to messages of the graph. The returned function unsubscribes. */
  listen: (onMessage: (message: FrameMessage) => void) => () => void
}

/** No graph has more nodes; a longer list is rejected. */
const MAX_NODES = 2000
const MAX_LENGTH = 200

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ids are numbers in the editor and strings in a prompt. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH ? value : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, MAX_LENGTH) : '')

/** Parses a message; null if it is unknown. */
export function parseMessage(message: unknown): FrameMessage | null {
  if (!isRecord(message)) return null
  if (message.type === 'nodeClick') {
    const nodeId = idOf(message.nodeId)
    return nodeId === null ? null : { type: 'nodeClick', nodeId }
  }
  if (message.type !== 'outputNodeDefs' || !Array.isArray(message.nodes) || message.nodes.length > MAX_NODES) {
    return null
  }
  const nodes: OutputNodeDef[] = []
  for (const node of message.nodes) {
    const id = isRecord(node) ? idOf(node.id) : null
    if (!isRecord(node) || id === null) return null
    nodes.push({ id, name: textOf(node.name), title: textOf(node.title) })
  }
  return { type: 'outputNodeDefs', nodes }
}

/**
 * Connects to the editor in a frame. Only messages of a known shape, from this frame's window and from this origin
 * count. Outgoing messages reach no other origin.
 */
export function frameBridge(frame: () => Window | null, origin: string, page: Window = window): GraphBridge {
  return {
    moveToNode: (nodeId) => frame()?.postMessage({ type: 'moveToNode', nodeId }, origin),
    listen: (onMessage) => {
      const read = (event: MessageEvent) => {
        const source = frame()
        if (source === null || event.source !== source || event.origin !== origin) return
        const message = parseMessage(event.data)
        if (message) onMessage(message)
      }
      page.addEventListener('message', read)
      return () => page.removeEventListener('message', read)
    },
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
