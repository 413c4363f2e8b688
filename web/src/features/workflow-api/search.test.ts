import { describe, expect, it } from 'vitest'
import { searchInputs, searchOutputs } from './search'
import { node as anyNode, input } from './testing'
import type { OutputEntry } from './types'

const node = (id: string, title: string, names: string[], missing = false) =>
  anyNode(
    id,
    title,
    names.map((name) => input(id, name)),
    { missing },
  )
const nodes = [
  node('3', 'KSampler', ['seed', 'steps', 'sampler_name']),
  node('5', 'Empty Latent Image', ['width', 'height']),
  node('8', 'VAE Decode', []),
  node('9', 'Gone', [], true),
]
const found = (words: string) =>
  searchInputs(nodes, words).map(({ node: { id }, entries }) => [id, entries.map(({ name }) => name)])

describe('the node search', () => {
  it('shows nodes with inputs and missing nodes without a keyword', () => {
    expect(found('').map(([id]) => id)).toEqual(['3', '5', '9'])
  })

  it('finds a node with all inputs despite a typo', () => {
    expect(found('ksampelr')).toEqual([['3', ['seed', 'steps', 'sampler_name']]])
    expect(found('latent')).toEqual([['5', ['width', 'height']]])
  })

  it('finds single inputs by their labels', () => {
    expect(found('widht')).toEqual([['5', ['width']]])
    expect(found('sampler name')).toContainEqual(['3', expect.arrayContaining(['sampler_name'])])
  })

  it('normalizes Unicode', () => {
    const korean = [node('1', '고양이 그림'.normalize('NFD'), ['seed'])]
    for (const form of ['NFC', 'NFD']) expect(searchInputs(korean, '고양이'.normalize(form))).toHaveLength(1)
  })

  it('ignores distant matches', () => {
    expect(found('quaternion')).toEqual([])
  })

  it('finds outputs by their node too', () => {
    const outputs: OutputEntry[] = [{ id: '8', order: 0, name: 'Result', apiFieldName: '8.x' }]
    expect(searchOutputs(outputs, nodes, '')).toEqual(outputs)
    expect(searchOutputs(outputs, nodes, 'vae')).toEqual(outputs)
    expect(searchOutputs(outputs, nodes, 'resutl')).toEqual(outputs)
    expect(searchOutputs(outputs, nodes, 'latent')).toEqual([])
  })
})
