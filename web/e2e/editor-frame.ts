import type { APIRequestContext, Frame, Page } from '@playwright/test'

/** Whether this server has the node editor. */
export async function hasEditor(request: APIRequestContext): Promise<boolean> {
  const answer = await request.get('/comfyui-editor/installed.json')
  return ((await answer.json()) as { installed: boolean }).installed
}

/** The frame with the node editor. */
export function editorFrame(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().includes('/comfyui-editor/'))
  if (!frame) throw new Error('the page has no editor')
  return frame
}

/**
 * Stands in for the node editor: a frame that speaks its messages, without its megabytes. `graph` is what it shows. A
 * click into the frame adds a node, and Ctrl+S asks the page to save.
 */
export async function standInEditor(page: Page, graph: object): Promise<void> {
  await page.route('**/comfyui-editor/installed.json', (route) => route.fulfill({ json: { installed: true } }))
  await page.route(/\/comfyui-editor\/(\?.*)?$/, (route) =>
    route.fulfill({ contentType: 'text/html', body: DOCUMENT.replace('GRAPH', JSON.stringify(graph)) }),
  )
}

const DOCUMENT = `<!doctype html><title>Editor</title><p>Editor</p><script>
  let graph = GRAPH
  let flow = new URLSearchParams(location.search).get('flow')
  const post = (message) => parent.postMessage(message, location.origin)
  addEventListener('message', ({ data }) => {
    if (data.type === 'getGraph') {
      const prompt = {}
      for (const node of graph.nodes) prompt[node.id] = { class_type: node.type, inputs: node.inputs_of ?? {} }
      post({ type: 'graph', requestId: data.requestId, workflow: JSON.stringify(graph), prompt: JSON.stringify(prompt), flow })
    }
    if (data.type === 'loadWorkflow') {
      graph = JSON.parse(data.workflow)
      flow = data.flow
      post({ type: 'graphChanged' })
    }
    if (data.type === 'graphSaved') flow = data.flow
    if (data.type === 'insertImage') {
      document.title = data.name
      const node = graph.nodes.find(({ id }) => String(id) === data.nodeId)
      if (node) node.inputs_of = { image: data.name }
    }
    if (data.type === 'drawMask') {
      const images = graph.nodes.filter(({ type }) => type === 'LoadImage')
      const value = images.length > 1 ? null : (images[0]?.inputs_of?.image ?? '')
      post({ type: 'maskRequested', nodeId: value ? String(images[0].id) : '', value })
    }
  })
  addEventListener('click', () => {
    const id = graph.nodes.length + 1
    graph.nodes.push({ id, type: 'EmptyImage', inputs_of: { width: 8, height: 8, batch_size: 1, color: id } })
    post({ type: 'graphChanged' })
  })
  addEventListener('load', () => setTimeout(() => post({ type: 'editorReady', version: 'stand-in' }), 50))
</script>`

/** A graph of the editor with one node. */
export const ONE_NODE = {
  nodes: [{ id: 1, type: 'EmptyImage', inputs_of: { width: 8, height: 8, batch_size: 1, color: 1 } }],
  links: [],
}

/**
 * Stands in for the read-only node editor. It has a button for each of these nodes, reports all of them as output nodes,
 * and names the node to which it moves.
 */
export async function standInPreview(page: Page, nodes: { id: string; title: string }[]): Promise<void> {
  await page.route('**/comfyui-editor/installed.json', (route) => route.fulfill({ json: { installed: true } }))
  await page.route(/\/comfyui-editor\/\?.*readonly=true$/, (route) =>
    route.fulfill({ contentType: 'text/html', body: PREVIEW.replace('NODES', JSON.stringify(nodes)) }),
  )
}

const PREVIEW = `<!doctype html><title>Editor</title><p></p><script>
  const nodes = NODES
  const post = (message) => parent.postMessage(message, location.origin)
  for (const { id } of nodes) {
    const button = document.createElement('button')
    button.textContent = 'Node ' + id
    button.onclick = () => post({ type: 'nodeClick', nodeId: id })
    document.body.append(button)
  }
  addEventListener('message', ({ data }) => {
    if (data.type === 'moveToNode') document.querySelector('p').textContent = 'moved to ' + data.nodeId
  })
  addEventListener('load', () => setTimeout(() => {
    post({ type: 'editorReady', version: 'stand-in' })
    post({ type: 'outputNodeDefs', nodes: nodes.map((node) => ({ ...node, output: true })) })
  }, 50))
</script>`
