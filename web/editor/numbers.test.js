import { expect, it } from 'vitest'
import { below, JsonText, parse, roundedByNode, roundedOf, unchanged, write } from './numbers.js'

const SEED = '18446744073709551615'
const GRAPH = `{
  "nodes": [
    {"id": 3, "type": "KSampler", "widgets_values": [${SEED}, "fixed", 20, 8.0, 1e-05, NaN]},
    {"id": "7", "type": "Note", "widgets_values": ["NaN 1.0 \\"2.0\\" \\\\"]}
  ],
  "links": [[1, 3, 0, 7, 0, "LATENT"]],
  "groups": [], "config": {}, "extra": {"ds": {"scale": 1.10, "offset": [-0, 0.5]}}, "version": 0.4
}`
const withoutSpaces = (text) => text.replace(/\s+(?=(?:[^"]*"[^"]*")*[^"]*$)/g, '')

it('reads what JSON.parse reads', () => {
  const texts = [
    '{}',
    '[]',
    '"a\\u00e9\\n"',
    '-1.5e3',
    'null',
    '[true,false,{"a":[{"b":"}"}]}]',
    ' {"__proto__": {"a": 1}} ',
  ]
  for (const text of texts) expect(JSON.stringify(parse(text).value)).toBe(JSON.stringify(JSON.parse(text)))
})

it.each(['', '{', '[1,]', '{"a":1,}', '{"a" 1}', '[1 2]', 'nope', '{} {}', '"a', ']', '{1:2}'])(
  'refuses %j',
  (text) => {
    expect(() => parse(text)).toThrow(SyntaxError)
  },
)

it('refuses a long unfinished text at once', () => {
  expect(() => parse(`"${'a'.repeat(1_000_000)}`)).toThrow(SyntaxError)
})

it('writes an unchanged graph as it was read', () => {
  const { value, texts } = parse(GRAPH)
  expect(value.nodes[0].widgets_values[5]).toBeNull()
  expect(write(value, unchanged(texts))).toBe(withoutSpaces(GRAPH))
})

it('finds numbers of reordered nodes, and writes a changed number as it is now', () => {
  const { value, texts } = parse(GRAPH)
  value.nodes.reverse()
  const sampler = value.nodes[1]
  sampler.widgets_values[3] = 7
  const text = write(value, unchanged(texts))
  expect(text).toContain(`[${SEED},"fixed",20,7,1e-05,NaN]`)
  expect(text.indexOf('"Note"')).toBeLessThan(text.indexOf('"KSampler"'))
})

it('writes a large seed of the graph into the prompt', () => {
  const { value, texts } = parse(GRAPH)
  const rounded = roundedByNode(texts)
  const inputs = { seed: value.nodes[0].widgets_values[0], steps: 20, other: null }
  const prompt = { 3: { class_type: 'KSampler', inputs }, '10:3': { class_type: 'KSampler', inputs }, 4: { inputs } }
  const text = write(prompt, roundedOf(rounded))
  expect(text).toContain(`"3":{"class_type":"KSampler","inputs":{"seed":${SEED},"steps":20,"other":null}}`)
  expect(text).toContain(`"10:3":{"class_type":"KSampler","inputs":{"seed":${SEED},"steps":20,"other":null}}`)
  expect(text).toContain('"4":{"inputs":{"seed":18446744073709552000')
})

it('writes a large seed of a prompt into its graph', () => {
  const { texts } = parse(`{"3": {"class_type": "KSampler", "inputs": {"seed": ${SEED}}}}`)
  const graph = { nodes: [{ id: 3, widgets_values: [Number(SEED)] }] }
  expect(write(graph, roundedOf(roundedByNode(texts)))).toBe(`{"nodes":[{"id":3,"widgets_values":[${SEED}]}]}`)
})

it('keeps the texts of two nodes with one id apart', () => {
  const text = '{"nodes":[{"id":1,"v":1.0},{"id":1,"v":1}]}'
  const { value, texts } = parse(text)
  expect(write(value, unchanged(texts))).toBe(text)
})

it('writes a part that is JSON text as it is', () => {
  expect(write({ a: new JsonText('[1.0]'), b: 1 }, () => undefined)).toBe('{"a":[1.0],"b":1}')
})

it('takes a part with its texts', () => {
  const both = parse(`{"workflow": null, "output": {"1": {"inputs": {"value": 1.0}}}, "outputs": 2.0}`)
  const { value, texts } = below(both, 'output')
  expect(write(value, unchanged(texts))).toBe('{"1":{"inputs":{"value":1.0}}}')
  expect(below(both, 'workflow', 'nodes').value).toBeUndefined()
})

it('leaves out what JSON has no word for', () => {
  const value = { a: undefined, b: () => {}, c: [undefined, new Date(0)], d: Number.NaN }
  expect(write(value, () => undefined)).toBe(JSON.stringify(value))
})
