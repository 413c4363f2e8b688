// Import of files that carry a graph. The page around the frame decides when a found graph opens, because it stores the
// draft of the one that is shown.
//
// Licence: GPL-3.0-only (LICENSE.txt).
import { isRecord } from './graphs.js'

const MAX_NAME = 100

/** The file's name without its endings. ComfyUI saves apps as `.app.json`. */
const nameOf = (file) => file.name.replace(/(\.app)?\.\w+$/i, '').slice(0, MAX_NAME) || 'Untitled'

/** How many inputs and outputs the app has that a workflow carries; null if it carries none. */
export function appOf(workflow) {
  const data = workflow?.extra?.linearData
  const count = (list) => (Array.isArray(list) ? list.length : 0)
  const [inputs, outputs] = isRecord(data) ? [count(data.inputs), count(data.outputs)] : [0, 0]
  return inputs + outputs > 0 ? { inputs, outputs } : null
}

/** A copy of a prompt whose node ids have no colon. The front end renames such ids, and their texts would be lost. */
export function withPlainIds({ value, texts }) {
  const taken = new Set(Object.keys(value).filter((id) => !id.includes(':')))
  const names = new Map()
  for (const id of Object.keys(value).filter((one) => one.includes(':'))) {
    let name = id.replaceAll(':', '_')
    while (taken.has(name)) name += '_'
    taken.add(name)
    names.set(id, name)
  }
  if (names.size === 0) return { value, texts }
  const renamed = (id) => names.get(String(id)) ?? id
  const isLink = (input) => Array.isArray(input) && input.length === 2 && names.has(String(input[0]))
  const inputsOf = ({ inputs }) =>
    Object.fromEntries(
      Object.entries(inputs).map(([key, input]) => [key, isLink(input) ? [renamed(input[0]), input[1]] : input]),
    )
  return {
    value: Object.fromEntries(
      Object.entries(value).map(([id, node]) => [renamed(id), { ...node, inputs: inputsOf(node) }]),
    ),
    texts: new Map(
      [...texts].map(([path, text]) => [path.replace(/^\n([^\n]+)/, (_, id) => `\n${renamed(id)}`), text]),
    ),
  }
}

/** The readers of files, which few visits need. */
const contentOf = async (file) => (await import('./files.js')).contentOf(file)

/**
 * Imports files into `app`. `show` opens a graph in a tab, and `post` sends to the page around the frame. Without such a
 * page (`isAlone`), graphs open at once.
 */
export function fileImport({ app, post, show, isAlone = window.parent === window }) {
  const stock = app.handleFile.bind(app)
  const openTabs = () => app.extensionManager.workflow
  let found = null
  let imports = 0

  /** A name of no open tab. The front end would replace the graph of an unsaved tab of this name. */
  function unusedName(name) {
    const isUsed = (tried) => openTabs().openWorkflows.some(({ path }) => path === `workflows/${tried}.json`)
    let tried = name
    for (let number = 2; isUsed(tried); number += 1) tried = `${name} (${number})`
    return tried
  }

  /** Shows the tab again, whose graph a failed load has removed from the canvas. */
  async function restore(tab) {
    const graph = tab?.changeTracker?.activeState
    if (graph) await app.loadGraphData(graph, true, true, tab)
  }

  async function open({ file, content, name }) {
    const before = openTabs().activeWorkflow
    const title = unusedName(name)
    try {
      if (content.settings) await stock(new File([file], `${title}.png`, { type: 'image/png' }))
      else await show({ graph: content.graph, name: title, flow: null })
      if (openTabs().activeWorkflow?.path === before?.path) throw new Error('the graph was not opened')
      post({ type: 'imported', name, app: appOf(content.graph?.value) })
    } catch {
      await restore(before)
      post({ type: 'importFailed', name: file.name, reason: 'unreadable' })
    }
  }

  async function offer(file, content) {
    imports += 1
    found = { id: `import-${imports}`, file, content, name: nameOf(file) }
    if (isAlone) await open(found)
    else post({ type: 'importFound', importId: found.id, name: found.name })
  }

  /** The user drops or opens a file in the front end. A file without a graph may become a node there. */
  app.handleFile = async (file, ...rest) => {
    const content = await contentOf(file).catch(() => null)
    return content ? offer(file, content) : stock(file, ...rest)
  }

  return {
    /** The page sends a file. */
    read: async (file) => {
      if (!(file instanceof File)) return
      let content = null
      try {
        content = await contentOf(file)
      } catch {
        return post({ type: 'importFailed', name: file.name, reason: 'unreadable' })
      }
      if (content) await offer(file, content)
      else post({ type: 'importFailed', name: file.name, reason: 'empty' })
    },
    /** The page agrees to open what was found last. */
    open: async (id) => {
      if (found?.id !== id) return
      const opened = found
      found = null
      await open(opened)
    },
  }
}
