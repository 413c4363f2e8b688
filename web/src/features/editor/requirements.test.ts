import { describe, expect, it } from 'vitest'
import { requiredPart } from './requirements'

const load = (name: string, extra = {}) => ({ class_type: 'LoraLoader', inputs: { lora_name: name, ...extra } })
const part = (graph: object) => requiredPart(JSON.stringify(graph))

describe('the requirements of a prompt', () => {
  it('name one node of each kind, and all nodes by it', () => {
    const found = part({
      '10:6': load('a.safetensors', { strength: 0.5, model: ['4', 0] }),
      3: load('a.safetensors', { strength: 1 }),
      4: load('b.safetensors'),
    })
    expect(JSON.parse(found?.prompt ?? '')).toEqual({
      3: { class_type: 'LoraLoader', inputs: { lora_name: 'a.safetensors' } },
      4: { class_type: 'LoraLoader', inputs: { lora_name: 'b.safetensors' } },
    })
    expect([...(found?.nodes ?? [])]).toEqual([
      ['3', ['3', '10:6']],
      ['4', ['4']],
    ])
  })

  it('do not change with prose, numbers and more nodes of a kind', () => {
    const text = (words: string, seed: number) => ({ class_type: 'Text', inputs: { text: words, seed } })
    const before = part({ 1: text('a cat', 1) })
    expect(part({ 1: text('a dog.\nIt barks.', 2), 2: text('x', 3) })?.prompt).toBe(before?.prompt)
    expect(part({ 1: text('a cat', 1), 2: load('a.pt') })?.prompt).not.toBe(before?.prompt)
  })

  it('include models inside objects, and whether they are loaded', () => {
    const inputs = { lora_1: { on: false, lora: 'a.safetensors', strength: 1 }, size: { width: 8 } }
    const found = part({ 1: { class_type: 'Power Lora Loader (rgthree)', inputs } })
    expect(JSON.parse(found?.prompt ?? '')[1].inputs).toEqual({
      lora_1: { on: false, lora: 'a.safetensors' },
      size: {},
    })
  })

  it('are none without nodes', () => {
    for (const prompt of [null, '{}', '[]', '{"1":{"inputs":{}}}']) expect(requiredPart(prompt)).toBeNull()
  })
})
