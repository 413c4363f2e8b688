import { expect, it } from 'vitest'
import { ImportedPrompt, ImportedWorkflow, isConverted, isSame, merged, promptBody } from './imported.js'
import { parse } from './numbers.js'

const SEED = '18446744073709551615'
const FILE = `{
  "nodes": [
    {"id": "3", "type": "A & B", "pos": {"0": 10, "1": 20}, "inputs": [{"name": "image", "type": "IMAGE", "link": 1}],
     "outputs": [], "widgets_values": [${SEED}, 8.0, NaN], "pack_data": 1.0},
    {"id": 4, "type": "C", "pos": [-0.5, 1e-7], "outputs": [{"name": "IMAGE", "links": [1]}], "properties": {"a": 1.0}}
  ],
  "links": [[1, 4, 0, "3", 0, "IMAGE"]],
  "groups": [{"title": "G", "bounding": [0, 0, 10.0, 10]}],
  "extra": {"ds": {"scale": 1.0}, "mine": null}, "version": 0.4
}`

/** What a front end makes of the file: other spellings, more fields and one field less. */
const loadedFrom = (file) => {
  const { value } = parse(file)
  const [first, second] = value.nodes
  const loaded = {
    ...value,
    id: 'made-up',
    nodes: [
      { ...first, id: 3, type: 'A  B', pos: [10, 20], order: 1, pack_data: undefined },
      { ...second, order: 0, widgets_values: [], size: [1, 1] },
    ],
    links: [[1, 4, 0, 3, 0, 'IMAGE']],
    groups: [{ id: 1, ...value.groups[0] }],
    extra: { ...value.extra, frontendVersion: '1' },
  }
  return JSON.parse(JSON.stringify(loaded))
}
const withoutSpaces = (text) => text.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '')

function imported(file = FILE) {
  const graph = new ImportedWorkflow(parse(file))
  const loaded = loadedFrom(file)
  graph.load(loaded)
  return { graph, now: structuredClone(loaded) }
}

it('writes a graph that has not changed as it was imported, wherever the view is', () => {
  const { graph, now } = imported()
  now.extra.ds = { scale: 2, offset: [5, 5] }
  expect(graph.text(now)).toBe(withoutSpaces(FILE))
})

it('writes what the user has not changed as it was imported', () => {
  const { graph, now } = imported()
  now.nodes[1].pos = [7, 8]
  now.groups.push({ id: 2, title: 'New', bounding: [1, 1, 1, 1] })
  const file = withoutSpaces(FILE)
    .replace('[-0.5,1e-7]', '[7,8]')
    .replace('10.0,10]}]', '10.0,10]},{"id":2,"title":"New","bounding":[1,1,1,1]}]')
  expect(graph.text(now)).toBe(file)
})

it('writes changed values of a node in both of their forms', () => {
  const { graph, now } = imported()
  now.nodes[0].widgets_values = [Number(SEED), 9, null]
  now.nodes[0].widgets_values_named = { seed: Number(SEED), cfg: 9 }
  const { nodes } = parse(graph.text(now)).value
  expect(graph.text(now)).toContain(`"widgets_values":[${SEED},9,NaN]`)
  expect(graph.text(now)).toContain(`"widgets_values_named":{"seed":${SEED},"cfg":9}`)
  expect(nodes[0].pack_data).toBe(1)
})

it('leaves out removed nodes and links', () => {
  const { graph, now } = imported()
  now.nodes.pop()
  now.links = []
  now.nodes[0].inputs[0].link = null
  const { nodes, links } = parse(graph.text(now)).value
  expect(nodes.map(({ id, type }) => [id, type])).toEqual([['3', 'A & B']])
  expect(links).toEqual([])
  expect(nodes[0].inputs[0].link).toBeNull()
})

it('links name the place of their input among those that are written', () => {
  const { graph, now } = imported()
  now.nodes[0].inputs.unshift({ name: 'mask', type: 'MASK', link: null })
  const { links } = parse(graph.text(now)).value
  expect(links).toEqual([[1, 4, 0, '3', 1, 'IMAGE']])
})

it('writes a graph that the front end has rebuilt as it is now, once it changes', () => {
  const file = FILE.replace('"C"', '"workflow>C"')
  const graph = new ImportedWorkflow(parse(file))
  const loaded = loadedFrom(FILE)
  graph.load(loaded)
  expect(graph.text(loaded)).toBe(withoutSpaces(file))
  const changed = structuredClone(loaded)
  changed.nodes[1].pos = [7, 8]
  const { nodes } = parse(graph.text(changed)).value
  expect(nodes.map(({ type }) => type)).toEqual(['A  B', 'C'])
  expect(nodes[0].pack_data).toBeUndefined()
})

it.each([
  ['a node less', (graph) => graph.nodes.pop()],
  ['another link', (graph) => (graph.links[0][1] = 3)],
  ['another spelling of links', (graph) => (graph.links = [{ id: 1, origin_id: 4, origin_slot: 0, target_id: 3 }])],
  ['another place', (graph) => (graph.nodes[0].pos = [0, 0])],
  ['a lost property', (graph) => (graph.nodes[1].properties = {})],
  ['another version', (graph) => (graph.version = 1)],
  ['another definition', (graph) => (graph.definitions = { subgraphs: [{ id: 'new', nodes: [] }] })],
])('knows a rebuilt graph by %s', (_, change) => {
  const { value } = parse(FILE)
  const loaded = loadedFrom(FILE)
  expect(isConverted(value, loaded)).toBe(false)
  change(loaded)
  expect(isConverted(value, loaded)).toBe(true)
})

it('takes over the camera of a 3D viewer until the user does something', () => {
  const { graph, now } = imported()
  now.nodes[1].properties['Camera Config'] = { fov: 35 }
  graph.settle(now)
  expect(graph.text(now)).toBe(withoutSpaces(FILE))
  now.nodes[1].properties['Camera Config'] = { fov: 20 }
  expect(parse(graph.text(now)).value.nodes[1].properties).toEqual({ a: 1, 'Camera Config': { fov: 20 } })
})

it('exports what is no graph at all as it was imported', () => {
  const file = '{"nodes":[null,{"id":1}],"links":{"1":null},"definitions":{"subgraphs":[null]},"version":"0.4"}'
  const graph = new ImportedWorkflow(parse(file))
  const loaded = { nodes: [], links: [], version: 0.4 }
  graph.load(loaded)
  expect(graph.text(loaded)).toBe(file)
  expect(graph.text({ ...loaded, version: 0.4, nodes: [{ id: 2 }] })).toBe(
    '{"nodes":[{"id":2}],"links":[],"version":0.4}',
  )
})

it('writes a graph as it is until it is known what the front end made of it', () => {
  const graph = new ImportedWorkflow(parse(FILE))
  expect(graph.text({ nodes: [{ id: 3, widgets_values: [Number(SEED), 8, 5] }] })).toBe(
    `{"nodes":[{"id":3,"widgets_values":[${SEED},8.0,5]}]}`,
  )
})

it('keeps what a prompt has more than the front end knows', () => {
  const file = '{"1":{"class_type":"A","inputs":{"a":1.0,"unknown":2.0}},"2":{"class_type":"B","inputs":{"x":["1",0]}}}'
  const prompt = new ImportedPrompt(parse(file))
  const loaded = {
    1: { class_type: 'A', inputs: { a: 1 }, _meta: { title: 'A' } },
    2: { class_type: 'B', inputs: { x: ['1', 0] }, _meta: { title: 'B' } },
  }
  prompt.load(loaded)
  expect(prompt.text(loaded)).toBe(file)
  const changed = structuredClone(loaded)
  changed[1].inputs.a = 3
  expect(prompt.text(changed)).toBe(file.replace('1.0', '3'))
  const { 2: _, ...rest } = loaded
  expect(parse(prompt.text(rest)).value).toEqual({ 1: { class_type: 'A', inputs: { a: 1, unknown: 2 } } })
})

it('compares values as JSON has them', () => {
  expect(isSame({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBe(true)
  for (const other of [{ a: 1 }, { a: [1] }, { b: 1 }, [], null, { a: undefined }]) {
    expect(isSame({ a: [1, 2] }, other)).toBe(false)
  }
  expect(merged(1, 2, 3)).toBe(3)
})

it('queues the graph as it was imported, for its workflow here', () => {
  const { graph, now } = imported()
  const extra = { extra_pnginfo: { workflow: now, other: 1 }, api_key_comfy_org: 'secret' }
  const body = { client_id: 'c', prompt: { 3: { class_type: 'A', inputs: { seed: Number(SEED) } } }, extra_data: extra }
  expect(promptBody(JSON.stringify(body), { flow: 'f', workflow: graph, prompt: null })).toBe(
    `{"client_id":"c","prompt":{"3":{"class_type":"A","inputs":{"seed":${SEED}}}},"extra_data":` +
      `{"extra_pnginfo":{"workflow":${withoutSpaces(FILE)},"other":1},"platform":{"flow":"f"}}}`,
  )
  expect(promptBody('{"prompt":{}}', { flow: null, workflow: null, prompt: null })).toBe(
    '{"prompt":{},"extra_data":{"platform":{"flow":null}}}',
  )
})
