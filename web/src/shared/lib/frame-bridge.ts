/** An output node, as the editor in the frame tells of it. */
export type OutputNodeDef = { id: string; name: string; title: string }

/** What the editor tells the page. */
export type FrameNews = { type: 'outputNodeDefs'; nodes: OutputNodeDef[] } | { type: 'nodeClick'; nodeId: string }

/** A graph that the page can talk with: a frame with the editor in it, or a drawing of ours. */
export type GraphBridge = {
  /** Brings a node into sight. */
  moveToNode: (nodeId: string) => void
  /** Hears what the graph tells; the answer ends it. */
  listen: (hear: (news: FrameNews) => void) => () => void
}

/** More nodes than these no graph has; a longer list is not read. */
const MOST_NODES = 2000
const LONGEST = 200

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Ids are numbers in the editor and words in a prompt. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value : null
}

const wordsOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, LONGEST) : '')

/** A message as the page understands it; null for everything else. */
export function readNews(message: unknown): FrameNews | null {
  if (!isRecord(message)) return null
  if (message.type === 'nodeClick') {
    const nodeId = idOf(message.nodeId)
    return nodeId === null ? null : { type: 'nodeClick', nodeId }
  }
  if (message.type !== 'outputNodeDefs' || !Array.isArray(message.nodes) || message.nodes.length > MOST_NODES) {
    return null
  }
  const nodes: OutputNodeDef[] = []
  for (const node of message.nodes) {
    const id = isRecord(node) ? idOf(node.id) : null
    if (!isRecord(node) || id === null) return null
    nodes.push({ id, name: wordsOf(node.name), title: wordsOf(node.title) })
  }
  return { type: 'outputNodeDefs', nodes }
}

/**
 * Talks with the editor in a frame. A message counts only where it comes from the window of this very frame and from
 * this origin, and has one of the known shapes; what is sent reaches no page of another origin.
 */
export function frameBridge(frame: () => Window | null, origin: string, page: Window = window): GraphBridge {
  return {
    moveToNode: (nodeId) => frame()?.postMessage({ type: 'moveToNode', nodeId }, origin),
    listen: (hear) => {
      const read = (event: MessageEvent) => {
        const source = frame()
        if (source === null || event.source !== source || event.origin !== origin) return
        const news = readNews(event.data)
        if (news) hear(news)
      }
      page.addEventListener('message', read)
      return () => page.removeEventListener('message', read)
    },
  }
}

/** The same interface for a graph that this page draws itself: what it shows is told to it, and it tells of clicks. */
export function drawnBridge(show: (nodeId: string) => void): GraphBridge & { tell: (news: FrameNews) => void } {
  const listeners = new Set<(news: FrameNews) => void>()
  return {
    moveToNode: show,
    listen: (hear) => {
      listeners.add(hear)
      return () => void listeners.delete(hear)
    },
    tell: (news) => {
      for (const hear of [...listeners]) hear(news)
    },
  }
}
