import { describe, expect, it } from 'vitest'
import { missingOf } from './missing'

const OBJECT_INFO = {
  CheckpointLoaderSimple: {
    input: { required: { ckpt_name: [['sd\\base.safetensors', 'other.ckpt'], {}] } },
  },
  PowerLora: { input: { optional: { lora: ['COMBO', { options: ['warm.safetensors'] }] } } },
  SaveImage: { input: { required: {} } },
}
const missing = (graph: { output?: unknown; workflow?: unknown }) =>
  missingOf(
    {
      ...(graph.output !== undefined && { output: JSON.stringify(graph.output) }),
      ...(graph.workflow !== undefined && { workflow: JSON.stringify(graph.workflow) }),
    },
    OBJECT_INFO,
  )

describe('missing parts of a graph', () => {
  it('are classes and models of a prompt, without duplicates, with either path separator', () => {
    const output = {
      1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd/base.safetensors' } },
      2: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'mine.safetensors' } },
      3: { class_type: 'PowerLora', inputs: { lora_1: { on: true, lora: 'gone.safetensors' }, x: ['2', 0] } },
      4: { class_type: 'WildText', inputs: { text: 'a.txt and words' } },
      5: { class_type: 'WildText', inputs: {} },
    }
    expect(missing({ output })).toEqual({ nodes: ['WildText'], models: ['mine.safetensors', 'gone.safetensors'] })
  })

  it("are found in drawings and subgraphs, without the editor's own nodes", () => {
    const workflow = {
      nodes: [
        { type: 'Note', widgets_values: ['remember'] },
        { type: 'a-subgraph' },
        { type: 'workflow>Group' },
        { type: 'CheckpointLoaderSimple', widgets_values: { ckpt_name: 'other.ckpt' } },
        { type: 7 },
        null,
      ],
      definitions: {
        subgraphs: [
          { id: 'a-subgraph', nodes: [{ type: 'WildText', widgets_values: ['far.gguf'] }, { type: 'Reroute' }] },
        ],
      },
    }
    expect(missing({ workflow })).toEqual({ nodes: ['WildText'], models: ['far.gguf'] })
  })

  it('are none for an empty file, and inherited properties are no classes', () => {
    expect(missing({})).toEqual({ nodes: [], models: [] })
    expect(missing({ output: { 1: { class_type: 'toString', inputs: {} } } }).nodes).toEqual(['toString'])
  })
})
