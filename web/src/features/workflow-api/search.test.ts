import { describe, expect, it } from 'vitest'
import { searchInputs, searchOutputs } from './search'
import type { EditorNode, InputEntry, OutputEntry } from './types'

const entry = (id: string, name: string): InputEntry => ({
  order: 0,
  id,
  kind: 'required',
  name,
  nodeName: 'Node',
  nodeDisplayName: 'Node',
  pythonModuleName: 'nodes',
  raw: ['INT', {}],
  adapter: {},
})
const node = (id: string, title: string, names: string[], missing = false): EditorNode => ({
  id,
  title,
  name: title.replaceAll(' ', ''),
  display_name: title,
  python_module: 'nodes',
  output_node: false,
  missing,
  inputs: { required: Object.fromEntries(names.map((name) => [name, entry(id, name)])), optional: {} },
})
const nodes = [
  node('3', 'KSampler', ['seed', 'steps', 'sampler_name']),
  node('5', 'Empty Latent Image', ['width', 'height']),
  node('8', 'VAE Decode', []),
  node('9', 'Gone', [], true),
]
const found = (words: string) =>
  searchInputs(nodes, words).map(({ node: { id }, entries }) => [id, entries.map(({ name }) => name)])

describe('the search among nodes', () => {
  it('shows without words what has something to choose, and what is missing', () => {
    expect(found('').map(([id]) => id)).toEqual(['3', '5', '9'])
  })

  it('finds a node with all of its inputs, although a letter is wrong', () => {
    expect(found('ksampelr')).toEqual([['3', ['seed', 'steps', 'sampler_name']]])
    expect(found('latent')).toEqual([['5', ['width', 'height']]])
  })

  it('finds single inputs, in the words that people write', () => {
    expect(found('widht')).toEqual([['5', ['width']]])
    expect(found('sampler name')).toContainEqual(['3', expect.arrayContaining(['sampler_name'])])
  })

  it('finds what is composed otherwise', () => {
    const korean = [node('1', '고양이 그림'.normalize('NFD'), ['seed'])]
    for (const form of ['NFC', 'NFD']) expect(searchInputs(korean, '고양이'.normalize(form))).toHaveLength(1)
  })

  it('finds nothing that is far away', () => {
    expect(found('quaternion')).toEqual([])
  })

  it('finds outputs by their node, too', () => {
    const outputs: OutputEntry[] = [{ id: '8', order: 0, name: 'Result', apiFieldName: '8.x' }]
    expect(searchOutputs(outputs, nodes, '')).toEqual(outputs)
    expect(searchOutputs(outputs, nodes, 'vae')).toEqual(outputs)
    expect(searchOutputs(outputs, nodes, 'resutl')).toEqual(outputs)
    expect(searchOutputs(outputs, nodes, 'latent')).toEqual([])
  })
})
