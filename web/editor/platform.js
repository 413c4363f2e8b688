// Our extension of the ComfyUI front end. It loads the graph that the address names, hands saving to the page around it,
// and exchanges messages with that page. boot.js has read the address before.
//
// Licence: GPL-3.0-only, like the ComfyUI front end that it runs in (LICENSE.txt).

import { lock, replaceCommands } from './commands.js'
import { fileImport, withPlainIds } from './file-import.js'
import { blank, isPrompt, isRecord, isWorkflow, loadable, nodesOf } from './graphs.js'
import { ImportedPrompt, ImportedWorkflow, promptBody, promptText, workflowText } from './imported.js'
import { drawMaskOn, pictureWidget, replaceMaskEditor } from './masks.js'
import { below, parse } from './numbers.js'

const { app } = window.comfyAPI.app
const { api } = window.comfyAPI.api
const config = window.__PLATFORM__
const { post } = config

const workspace = () => app.extensionManager
const root = () => app.rootGraph ?? app.graph
const isKorean = () => workspace().setting.get('Comfy.Locale') === 'ko'
/** Whether the first graph is loaded. Messages before that would describe an empty one. */
let isReady = false

/** What we know of a tab: its id for the page, its workflow here, and the graph that it was opened with. */
const NEW_TAB = { id: null, flow: null, workflow: null, prompt: null }
const tabs = new Map()
const activeTab = () => workspace()?.workflow?.activeWorkflow
const tab = () => tabs.get(activeTab()?.path) ?? NEW_TAB
const note = (known) => {
  const path = activeTab()?.path
  if (path !== undefined) tabs.set(path, { ...NEW_TAB, ...known })
}
let tabIds = 0
/** Tells the active tab from others without a workflow. A graph that replaces another one keeps the id. */
function tabId() {
  if (tab().id === null) {
    tabIds += 1
    note({ ...tab(), id: `tab-${tabIds}` })
  }
  return tab().id
}
/** The name of the active tab, unless the front end has made it up. */
const tabName = () => activeTab()?.filename?.replace(/^Unsaved Workflow.*$/, '')

function debounced(run, delay) {
  let timer
  return () => {
    clearTimeout(timer)
    timer = setTimeout(run, delay)
  }
}

// ---------- nodes

const selectedNodes = () => Object.values(app.canvas.selected_nodes ?? {})
const drawMask = (selected) => drawMaskOn(selected, nodesOf(root()), post)
const definitionOf = (node) => node.constructor?.nodeData

function sendNodes() {
  const nodes = []
  for (const { node, id } of nodesOf(root())) {
    const definition = definitionOf(node)
    nodes.push({
      id,
      name: node.type,
      title: node.title ?? definition?.display_name ?? node.type,
      mode: node.mode,
      output: definition?.output_node === true,
      subgraph: Boolean(node.subgraph),
    })
  }
  post({ type: 'outputNodeDefs', flow: tab().flow, nodes })
}

const sendChange = debounced(() => {
  if (!isReady) return
  sendNodes()
  post({ type: 'graphChanged' })
}, 300)

const nodeIn = (graph, id) => graph.getNodeById(id) ?? graph.getNodeById(Number(id))

/** A node and its graph, by the ids of its subgraphs and its own; null if there is none. */
function nodeAt(id) {
  let graph = root()
  let node = null
  for (const part of String(id).split(':')) {
    if (node) graph = node.subgraph
    node = graph ? nodeIn(graph, part) : null
    if (!node) return null
  }
  return { graph, node }
}

function moveToNode(id) {
  const found = nodeAt(id)
  if (!found) return false
  const { graph, node } = found
  if (app.canvas.graph !== graph) app.canvas.setGraph(graph)
  requestAnimationFrame(() => {
    app.canvas.deselectAll()
    app.canvas.select(node)
    app.canvas.ds.scale = Math.max(app.canvas.ds.scale, 0.6)
    app.canvas.centerOnNode(node)
    app.canvas.setDirty(true, true)
  })
  return true
}

let pressed = null
addEventListener(
  'pointerdown',
  (event) => {
    pressed = event.button === 0 ? [event.clientX, event.clientY] : null
  },
  true,
)
addEventListener(
  'pointerup',
  (event) => {
    const isClick = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) <= 4
    if (!isReady || !isClick || !config.isInGraph(event)) return
    const [x, y] = app.clientPosToCanvasPos([event.clientX, event.clientY])
    const clicked = app.canvas.graph.getNodeOnPos(x, y)
    if (!clicked) return
    if (config.readonly) {
      app.canvas.deselectAll()
      app.canvas.select(clicked)
    }
    for (const { node, id } of nodesOf(root())) {
      if (node === clicked) post({ type: 'nodeClick', nodeId: id, nodeType: node.type })
    }
  },
  true,
)

// ---------- loading

async function read(url) {
  const response = await fetch(url, { headers: { Accept: 'application/json' } })
  if (!response.ok) throw Object.assign(new Error(`${url} answered ${response.status}`), { status: response.status })
  return parse(await response.text())
}

/** The graph of a JSON text with both formats: the editor's, or else the prompt. */
function graphOf(text) {
  const both = parse(text)
  return isWorkflow(both.value.workflow) ? below(both, 'workflow') : below(both, 'output')
}

async function workflowGraph(id) {
  const { value } = await read(`/api/public/workflow/${encodeURIComponent(id)}?select=prompt%20name`)
  return { graph: graphOf(value.prompt), name: value.name, flow: value._id }
}

async function pictureGraph(id) {
  const { value } = await read(`/api/public/output-asset/${encodeURIComponent(id)}?select=prompt%20name`)
  return { graph: graphOf(value.prompt), name: value.name || id.slice(0, 8), flow: null }
}

async function jobGraph(id) {
  const job = await read(`${config.base}/api/jobs/${encodeURIComponent(id)}`)
  const ui = below(job, 'workflow', 'extra_data', 'extra_pnginfo', 'workflow')
  return { graph: isWorkflow(ui.value) ? ui : below(job, 'workflow', 'prompt'), name: id.slice(0, 8), flow: null }
}

/** What the address names; null for a new graph. A workflow that cannot be seen is replaced by its picture's graph. */
async function named() {
  const { flow, image, job } = config
  if (config.isNew) return null
  if (flow && image) return workflowGraph(flow).catch(() => pictureGraph(image))
  if (flow) return workflowGraph(flow)
  if (image) return pictureGraph(image)
  return job ? jobGraph(job) : null
}

/** Whether the user may have changed the graph that was opened last. */
let isTouched = false
const touch = () => {
  if (isReady && !isTouched) tab().workflow?.settle(root().serialize())
  isTouched = isReady
}
for (const type of ['pointerdown', 'keydown', 'wheel', 'paste', 'drop']) addEventListener(type, touch, true)

/** Ends after the next frame, or when the page is not seen and has no frames. */
function nextFrame() {
  return new Promise((resolve) => {
    if (document.hidden) return resolve()
    requestAnimationFrame(resolve)
    document.addEventListener('visibilitychange', resolve, { once: true })
  })
}

/** Keeps the graph that a tab was opened with. What does not change is written as it was. */
async function remember(known) {
  note(known)
  // Reroute nodes take the type of their link in the frame after they are loaded.
  await nextFrame()
  const loaded = await app.graphToPrompt().catch(() => null)
  if (!loaded) return
  isTouched = false
  known.workflow?.load(loaded.workflow)
  known.prompt?.load(loaded.output)
}

/** Ends when the graph that is being opened is known. What is sent before would not be as it was written. */
let opening = Promise.resolve()

/** Shows a graph in either format. `load` is the page's own function. */
function show(found, load = app.loadGraphData) {
  const shown = openGraph(found, load)
  opening = shown.catch(() => {})
  return shown
}

async function openGraph({ graph, name, flow, id = null }, load) {
  const noGraph = () => Object.assign(new Error('there is no graph'), { status: 422 })
  if (isPrompt(graph.value)) {
    const prompt = withPlainIds(graph)
    await app.loadApiJson(prompt.value, name)
    await remember({ id, flow, prompt: new ImportedPrompt(prompt) })
  } else if (isWorkflow(graph.value)) {
    if ((await load.call(app, loadable(graph.value), true, true, name)) === false) throw noGraph()
    await remember({ id, flow, workflow: new ImportedWorkflow(graph) })
  } else {
    throw noGraph()
  }
  // A workflow may ask to be shown as a form. Its forms here are mini apps.
  const opened = activeTab()
  if (opened?.initialMode === 'app') opened.activeMode = 'graph'
}

/** Opens files that carry a graph; null in read-only frames. */
let imports = null

// Fetched while the page is still starting.
const pending = named().catch((error) => ({ error }))

async function showFirst(load) {
  const found = await pending
  try {
    if (found?.error) throw found.error
    if (found) return await show(found, load)
  } catch (error) {
    post({ type: 'loadFailed', status: error.status ?? 0 })
  }
  await load.call(app, blank(), true, true, isKorean() ? '제목 없음' : 'Untitled')
}

// ---------- saving and queueing

/** The tabs of the last graphs that were sent, by request: the page says which of them was saved. */
const sent = new Map()
const MAX_SENT = 20

async function sendGraph(requestId) {
  await opening
  const active = activeTab()
  const { workflow, output } = await app.graphToPrompt()
  // The user has gone to another tab.
  if (activeTab()?.path !== active?.path) return sendGraph(requestId)
  const known = tab()
  if (!isTouched) known.workflow?.settle(workflow)
  sent.set(requestId, active)
  if (sent.size > MAX_SENT) sent.delete(sent.keys().next().value)
  post({
    type: 'graph',
    requestId,
    flow: known.flow,
    tab: tabId(),
    name: tabName(),
    workflow: workflowText(known, workflow),
    prompt: promptText(known, output),
  })
}

function saved({ flow, requestId }) {
  const workflow = sent.get(requestId) ?? activeTab()
  if (!workflow) return
  tabs.set(workflow.path, { ...(tabs.get(workflow.path) ?? NEW_TAB), flow })
  workflow.changeTracker?.reset()
  workflow.isModified = false
}

/** The page writes no class for a node of an unknown one, whose name the server needs for its answer. */
function nameMissingClasses() {
  const stock = app.graphToPrompt.bind(app)
  app.graphToPrompt = async (...rest) => {
    const made = await stock(...rest)
    for (const { node, id } of nodesOf(root())) {
      const written = made.output[id]
      if (written && !written.class_type) written.class_type = node.last_serialization?.type ?? node.type
    }
    return made
  }
}

function followPrompts() {
  const stock = api.fetchApi.bind(api)
  api.fetchApi = async (route, options) => {
    if (route !== '/prompt' || options?.method !== 'POST') return stock(route, options)
    if (config.readonly) return Response.json(READ_ONLY, { status: 409 })
    await opening
    const response = await stock(route, { ...options, body: promptBody(options.body, tab()) })
    if (response.ok) {
      const answer = await response.clone().json()
      post({ type: 'queued', promptId: answer.prompt_id ?? null })
    } else if (response.status === 402) {
      post({ type: 'noCredits' })
    }
    return response
  }
}
const READ_ONLY = {
  error: { type: 'read_only', message: 'This is a read-only view.', details: '', extra_info: {} },
  node_errors: {},
}

/** Puts an uploaded file into a node that takes pictures: the named one, else the selected one, or a new one. */
function insertImage(name, id) {
  let node = id === undefined ? selectedNodes().find(pictureWidget) : nodeAt(id)?.node
  if (!pictureWidget(node)) {
    node = window.LiteGraph.createNode('LoadImage')
    if (!node) return
    const [left, top, width, height] = app.canvas.visible_area ?? [0, 0, 0, 0]
    node.pos = [left + width / 2 - node.size[0] / 2, top + height / 2 - node.size[1] / 2]
    app.canvas.graph.add(node)
  }
  const widget = pictureWidget(node)
  const { values } = widget.options ?? {}
  if (Array.isArray(values) && !values.includes(name)) values.push(name)
  widget.value = name
  widget.callback?.(name)
  app.canvas.setDirty(true, true)
  sendChange()
}

addEventListener('message', async (event) => {
  if (event.source !== window.parent || event.origin !== location.origin || !isRecord(event.data)) return
  const message = event.data
  if (message.type === 'moveToNode') {
    post({ type: 'moveToNode.done', nodeId: message.nodeId, ok: moveToNode(message.nodeId) })
  } else if (message.type === 'getGraph') {
    await sendGraph(message.requestId)
  } else if (message.type === 'credits') {
    showCredits(message.credits)
  } else if (config.readonly) {
    return
  } else if (message.type === 'loadWorkflow') {
    try {
      const { workflow, flow = null, tab: id } = message
      // Under the name of the tab, the graph replaces the open one. Under another name, it would be in a tab of its own.
      const name = activeTab()?.filename ?? message.name
      await show({ graph: parse(workflow), name, flow, id })
      sendNodes()
    } catch {
      post({ type: 'loadFailed', status: 422 })
    }
  } else if (message.type === 'importFile') {
    await imports?.read(message.file)
  } else if (message.type === 'openImport') {
    await imports?.open(message.importId)
    sendNodes()
  } else if (message.type === 'graphSaved') {
    saved(message)
  } else if (message.type === 'insertImage') {
    insertImage(message.name, message.nodeId)
  } else if (message.type === 'drawMask') {
    drawMask(selectedNodes())
  }
})

// ---------- the page

let credits = null
function showCredits(count) {
  if (config.readonly || typeof count !== 'number') return
  if (!credits) {
    credits = document.createElement('button')
    credits.id = 'platform-credits'
    credits.type = 'button'
    credits.onclick = () => post({ type: 'openBilling' })
    app.menu.settingsGroup.append({ element: credits })
  }
  const locale = isKorean() ? 'ko' : 'en'
  credits.textContent = `${count.toLocaleString(locale)} ${isKorean() ? '크레딧' : 'credits'}`
}

function started() {
  // Apps and workflows have pages of their own around the editor.
  for (const tab of ['apps', 'workflows']) {
    try {
      workspace().unregisterSidebarTab(tab)
    } catch {
      // This version has no such tab.
    }
  }
  if (config.readonly) lock(app)
  isReady = true
  sendNodes()
  post({ type: 'editorReady', version: window.__COMFYUI_FRONTEND_VERSION__ ?? '' })
}

app.registerExtension({
  name: 'Platform.Editor',
  async init() {
    nameMissingClasses()
    followPrompts()
    if (!config.readonly) imports = fileImport({ app, post, show })
  },
  async setup() {
    replaceCommands(app, { readonly: config.readonly, save: () => post({ type: 'saveRequested' }) })
    if (!config.readonly) replaceMaskEditor(app, (node) => drawMask([node]))
    // Some widgets keep their values in proxies, such as those of curves. The page cannot copy these.
    const serialize = root().serialize.bind(root())
    root().serialize = (...args) => JSON.parse(JSON.stringify(serialize(...args)))
    api.addEventListener('graphChanged', sendChange)
    // The front end gives the path of a closed tab to a later one, which is another workflow.
    workspace().workflow.$onAction(({ name, args: [closed], after }) => {
      if (name === 'closeWorkflow') after(() => tabs.delete(closed.path))
    })
    // The page starts by loading no graph. This one call loads what the address names, so no other graph is seen before.
    const stock = app.loadGraphData
    let first = true
    let loading = Promise.resolve()
    app.loadGraphData = (graph, ...rest) => {
      if (graph !== undefined) return stock.call(app, graph, ...rest)
      if (!first) return stock.call(app, blank(), ...rest)
      first = false
      loading = showFirst(stock)
      return loading
    }
    const timer = setInterval(async () => {
      if (first || workspace().spinner) return
      clearInterval(timer)
      await loading
      started()
    }, 50)
  },
  async afterConfigureGraph() {
    sendChange()
  },
})
