import { describe, expect, it } from 'vitest'
import type { WorkflowGraph } from '@/shared/api/types'
import { compareGraphs } from './compare'

type Drawn = { id: number; type?: string; title?: string; mode?: number; widgets_values?: unknown; pos?: number[] }
const drawn = (...nodes: Drawn[]): WorkflowGraph => ({
  workflow: { nodes: nodes.map((node) => ({ type: 'KSampler', ...node })), links: [] },
  output: null,
})
const prompt = (inputs: Record<string, unknown>, type = 'KSampler'): WorkflowGraph => ({
  workflow: { nodes: [{ id: 3, type, title: 'Sampler', widgets_values: [1, 2] }] },
  output: { '3': { class_type: type, inputs } },
})

describe('the comparison of two versions', () => {
  it('finds nothing where only places differ', () => {
    const before = drawn({ id: 3, widgets_values: [7], pos: [0, 0] })
    expect(compareGraphs(before, drawn({ id: 3, widgets_values: [7], pos: [90, 10] }))).toEqual([])
  })

  it('names changed values by input where both have a prompt', () => {
    const before = prompt({ seed: '18446744073709551615', model: ['4', 0], cfg: 7 })
    const after = prompt({ seed: 5, model: ['5', 1], cfg: 7, steps: 20 })
    expect(compareGraphs(before, after)).toEqual([
      {
        id: '3',
        type: 'KSampler',
        title: 'Sampler',
        kind: 'changed',
        values: [
          { name: 'seed', before: '18446744073709551615', after: '5' },
          { name: 'model', before: '#4 [0]', after: '#5 [1]' },
          { name: 'steps', before: null, after: '20' },
        ],
      },
    ])
  })

  it('numbers widgets where a version has no prompt', () => {
    const [change] = compareGraphs(
      drawn({ id: 3, widgets_values: [7, 'a'] }),
      drawn({ id: 3, widgets_values: [7, 'b'] }),
    )
    expect(change?.values).toEqual([{ name: '2', before: 'a', after: 'b' }])
    const byName = (text: string) => drawn({ id: 3, widgets_values: { text } })
    expect(compareGraphs(byName('x'), byName('y'))[0]?.values).toEqual([{ name: 'text', before: 'x', after: 'y' }])
  })

  it('lists added, removed and replaced nodes in the order of their ids', () => {
    const before = drawn({ id: 2 }, { id: 10, type: 'SaveImage' })
    const after = drawn({ id: 1, type: 'LoadImage' }, { id: 10, type: 'PreviewImage' })
    expect(compareGraphs(before, after).map(({ id, kind, type }) => [id, kind, type])).toEqual([
      ['1', 'added', 'LoadImage'],
      ['2', 'removed', 'KSampler'],
      ['10', 'removed', 'SaveImage'],
      ['10', 'added', 'PreviewImage'],
    ])
  })

  it('shows a muted node as muted, and not as one that lost its values', () => {
    const before = prompt({ seed: 1 })
    const nodes = [{ id: 3, type: 'KSampler', title: 'Sampler', mode: 2, widgets_values: [1, 2] }]
    const [change] = compareGraphs(before, { workflow: { nodes }, output: {} })
    expect(change?.values).toEqual([{ name: 'mode', before: null, after: 'mute' }])
  })

  it('looks into subgraphs', () => {
    const inside = (steps: number): WorkflowGraph => ({
      workflow: {
        nodes: [{ id: 1, type: 'uuid' }],
        definitions: {
          subgraphs: [{ id: 'uuid', name: 'Upscale', nodes: [{ id: 6, type: 'K', widgets_values: [steps] }] }],
        },
      },
      output: null,
    })
    expect(compareGraphs(inside(4), inside(8))).toEqual([
      { id: 'Upscale:6', type: 'K', title: 'K', kind: 'changed', values: [{ name: '1', before: '4', after: '8' }] },
    ])
    const flat = (steps: number): WorkflowGraph => ({
      ...inside(steps),
      output: { '1:6': { class_type: 'K', inputs: { steps } } },
    })
    expect(compareGraphs(flat(4), flat(8)).map(({ id, values }) => [id, values])).toEqual([
      ['1:6', [{ name: 'steps', before: '4', after: '8' }]],
    ])
  })

  it('accepts any JSON', () => {
    const odd = { workflow: { nodes: 'x', definitions: [] }, output: null } as unknown as WorkflowGraph
    expect(compareGraphs(odd, { workflow: null, output: null })).toEqual([])
  })
})
