import { describe, expect, it } from 'vitest'
import { appOf, fileImport, withPlainIds } from './file-import.js'
import { parse, unchanged, write } from './numbers.js'

const WORKFLOW = '{"nodes":[{"id":1,"type":"KSampler","widgets_values":[1.0]}],"links":[]}'
const file = (text, name = 'Boats.json') => new File([text], name, { type: 'application/json' })

/** The front end with one open tab, and what the page around it gets. `opens` is whether graphs open. */
function frontEnd({ opens = true } = {}) {
  const [posted, stock, restored] = [[], [], []]
  const tabs = [{ path: 'workflows/Boats.json', changeTracker: { activeState: { nodes: [] } } }]
  const workflow = { openWorkflows: tabs, activeWorkflow: tabs[0] }
  const app = {
    extensionManager: { workflow },
    handleFile: async (given, ...rest) => void stock.push([given.name, ...rest]),
    loadGraphData: async (graph, _clean, _view, tab) => void restored.push([graph, tab.path]),
  }
  const show = async ({ name }) => {
    if (!opens) throw new Error('refused')
    tabs.push({ path: `workflows/${name}.json` })
    workflow.activeWorkflow = tabs.at(-1)
  }
  const imports = fileImport({ app, post: (message) => posted.push(message), show, isAlone: false })
  return { app, imports, posted, stock, restored, tabs }
}

describe('a file that the page sends', () => {
  it('opens in a tab of its own once the page agrees', async () => {
    const { imports, posted, tabs } = frontEnd()
    await imports.read(file(WORKFLOW))
    expect(posted).toEqual([{ type: 'importFound', importId: 'import-1', name: 'Boats' }])
    expect(tabs).toHaveLength(1)
    await imports.open('another')
    expect(tabs).toHaveLength(1)
    await imports.open('import-1')
    expect(tabs[1].path).toBe('workflows/Boats (2).json')
    expect(posted[1]).toEqual({ type: 'imported', name: 'Boats', app: null })
    await imports.open('import-1')
    expect(tabs).toHaveLength(2)
  })

  it('that carries nothing is told to the page, and does not reach the front end', async () => {
    const { imports, posted, stock } = frontEnd()
    await imports.read(file('notes', 'notes.txt'))
    await imports.read('no file')
    expect(posted).toEqual([{ type: 'importFailed', name: 'notes.txt', reason: 'empty' }])
    expect(stock).toEqual([])
  })

  it('that cannot be opened leaves the graph that was open', async () => {
    const { imports, posted, restored } = frontEnd({ opens: false })
    await imports.read(file(WORKFLOW))
    await imports.open('import-1')
    expect(posted[1]).toEqual({ type: 'importFailed', name: 'Boats.json', reason: 'unreadable' })
    expect(restored).toEqual([[{ nodes: [] }, 'workflows/Boats.json']])
  })
})

describe('a file that is dropped into the front end', () => {
  it('asks the page when it carries a graph', async () => {
    const { app, posted, stock } = frontEnd()
    await app.handleFile(file(WORKFLOW, 'Silk.app.json'), 'file_drop')
    expect(posted).toEqual([{ type: 'importFound', importId: 'import-1', name: 'Silk' }])
    expect(stock).toEqual([])
  })

  it('is left to the front end when it carries none', async () => {
    const { app, posted, stock } = frontEnd()
    await app.handleFile(file('sound', 'a.wav'), 'file_drop')
    expect(stock).toEqual([['a.wav', 'file_drop']])
    expect(posted).toEqual([])
  })
})

describe('the app of a workflow', () => {
  it('is counted', () => {
    const workflow = {
      extra: {
        linearData: {
          inputs: [
            [1, 'a'],
            [2, 'b'],
          ],
          outputs: [3],
        },
      },
    }
    expect(appOf(workflow)).toEqual({ inputs: 2, outputs: 1 })
  })

  it.each([
    undefined,
    {},
    { extra: {} },
    { extra: { linearData: { inputs: [], outputs: [] } } },
    { extra: { linearData: 3 } },
  ])('is none in %j', (workflow) => {
    expect(appOf(workflow)).toBeNull()
  })
})

describe('ids of subgraphs in a prompt', () => {
  it('are written without colons, with their links and numbers', () => {
    const read = parse(
      '{"10:6":{"class_type":"A","inputs":{"v":1.0}},"10_6":{"class_type":"B","inputs":{"a":["10:6",0]}}}',
    )
    const { value, texts } = withPlainIds(read)
    expect(write(value, unchanged(texts))).toBe(
      '{"10_6_":{"class_type":"A","inputs":{"v":1.0}},"10_6":{"class_type":"B","inputs":{"a":["10_6_",0]}}}',
    )
  })
})
