import { describe, expect, it } from 'vitest'
import { asset, workflow } from '@/shared/testing/factories'
import { changesOf, draftOf, moved, sameDraft, shortened, stepsDone, tagSearch, toggled } from './model'
import { readGraph } from './read-graph'

const pictures = [asset({ _id: 'a' }), asset({ _id: 'b' }), asset({ _id: 'c' })]

describe('a like', () => {
  it('changes the count by one', () => {
    const liked = toggled(workflow({ likeCount: 4, isLiked: false }))
    expect([liked.isLiked, liked.likeCount]).toEqual([true, 5])
    expect(toggled(liked).likeCount).toBe(4)
    expect(toggled(workflow({ likeCount: 0, isLiked: true })).likeCount).toBe(0)
  })
})

describe('tags', () => {
  it('are cut at 25 characters of any alphabet', () => {
    expect(shortened('x'.repeat(25))).toBe('x'.repeat(25))
    expect(shortened('가'.repeat(26))).toBe(`${'가'.repeat(25)}…`)
  })

  it('are searched as parents at depth 0 and as children below', () => {
    expect(tagSearch({ _id: 't', depth: 0 })).toEqual({ parentTag: 't' })
    expect(tagSearch({ _id: 't', depth: 1 })).toEqual({ childrenTag: 't' })
  })
})

describe('a draft', () => {
  it('falls back to the first picture when its cover is removed', () => {
    const draft = { ...draftOf(workflow()), pictures, cover: 'b' }
    expect(changesOf(draft).cover).toBe('b')
    expect(changesOf({ ...draft, pictures: [pictures[0], pictures[2]].flatMap((p) => p ?? []) }).cover).toBe('a')
    expect(changesOf({ ...draft, pictures: [] }).cover).toBeNull()
  })

  it('is changed when its pictures are reordered', () => {
    const draft = { ...draftOf(workflow()), pictures }
    expect(sameDraft(draft, { ...draft, name: `${draft.name} ` })).toBe(true)
    expect(sameDraft(draft, { ...draft, pictures: moved(pictures, 0, 2) })).toBe(false)
  })

  it('has the steps of a publication, each done or not', () => {
    const draft = { name: 'x', description: '', tags: ['t'], pictures, cover: null }
    expect(stepsDone(draft)).toEqual({ name: true, description: false, pictures: true, tags: true })
    expect(stepsDone({ ...draft, name: ' ' }).name).toBe(false)
    expect(stepsDone({ ...draft, tags: [] }).tags).toBe(false)
    expect(stepsDone({ ...draft, pictures: [] }).pictures).toBe(false)
    expect(stepsDone({ ...draft, description: '<p> </p>' }).description).toBe(false)
    expect(stepsDone({ ...draft, description: '<p><img src="/media/raw/a.png"></p>' }).description).toBe(true)
  })
})

describe('moving', () => {
  it('puts an item at its new place and keeps the others in order', () => {
    expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
    expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
    expect(moved(['a'], 5, 0)).toEqual(['a'])
  })
})

describe('a workflow file', () => {
  const prompt = { 1: { class_type: 'EmptyImage', inputs: {} } }
  it('is read in each of the known formats', () => {
    const output = JSON.stringify(prompt)
    const drawn = '{"nodes": [], "links": [], "seed": 9007199254740993}'
    expect(readGraph(output)).toEqual({ graph: { output }, dropped: [] })
    expect(readGraph(`\uFEFF${drawn}\n`)).toEqual({ graph: { workflow: drawn }, dropped: [] })
    expect(readGraph(`{"prompt": ${output}}`)).toEqual({ graph: { output }, dropped: [] })
    const both = { graph: { workflow: drawn, output }, dropped: [] }
    expect(readGraph(`{"workflow": ${drawn}, "output": ${output}}`)).toEqual(both)
  })

  it('keeps numbers and key order, and lists ignored keys', () => {
    const node =
      '{"inputs": {"seed": 18446744073709551615, "cfg": 1.1500000000000001, "x": 3e-06}, "class_type": "K", "is_changed": [NaN]}'
    expect(readGraph(`{"9": ${node}, "1": ${node}, "extra": {}}`)).toEqual({
      graph: { output: `{"9":${node},"1":${node}}` },
      dropped: ['extra'],
    })
    const wrapped = readGraph(`{"client_id": "x", "prompt": {"9": ${node}}, "extra_data": {}}`)
    expect(wrapped).toEqual({ graph: { output: `{"9": ${node}}` }, dropped: ['client_id', 'extra_data'] })
    expect(readGraph(`{"workflow": {}, "output": {"9": ${node}}}`)?.graph).toEqual({ output: `{"9": ${node}}` })
  })

  it.each([
    '',
    'x',
    '[]',
    '{}',
    '"text"',
    'null',
    '{"1": {"inputs": {}}}',
    '{"a": 1}',
    '{"workflow": {}}',
    '{"extra": {}}',
  ])('is not %s', (text) => expect(readGraph(text)).toBeNull())
})
