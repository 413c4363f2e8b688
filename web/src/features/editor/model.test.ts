import { describe, expect, it } from 'vitest'
import { comparable, EDITOR_PARAMS, exportName, graphBody, hasNodes, sourceOf } from './model'

const source = (query: string) => sourceOf(EDITOR_PARAMS.read(new URLSearchParams(query)))

describe('the address', () => {
  it.each([
    ['', {}],
    ['new=true', { new: 'true' }],
    ['new=yes', {}],
    ['flow=f', { flow: 'f' }],
    ['image=i', { image: 'i' }],
    ['job=j&new=true', { job: 'j' }],
    ['flow=f&image=i', { flow: 'f' }],
    ['flow=f&image=i&readonly=true', { flow: 'f', image: 'i' }],
  ])('?%s opens %j', (query, expected) => {
    expect(source(query)).toEqual(expected)
  })
})

describe('a graph', () => {
  it('is the same when only the visible section differs', () => {
    const graph = (extra: string, seed = '1') => `{"nodes":[{"id":1,"seed":${seed}}],"extra":{${extra}}}`
    expect(comparable(graph('"ds":{"scale":1},"a":1'))).toBe(comparable(graph('"ds":{"scale":2},"a":1')))
    expect(comparable(graph('"a":1'))).not.toBe(comparable(graph('"a":2')))
    // These two seeds are one JavaScript number.
    expect(comparable(graph('', '9007199254740993'))).not.toBe(comparable(graph('', '9007199254740992')))
    expect(comparable(null)).toBe('')
  })

  it('has nodes or not', () => {
    expect(hasNodes('{"nodes":[{}]}')).toBe(true)
    expect([hasNodes('{"nodes":[]}'), hasNodes('{}'), hasNodes(null)]).toEqual([false, false, false])
  })

  it('is sent as it is written', () => {
    expect(graphBody({ workflow: '{"seed":18446744073709551615}', prompt: null })).toBe(
      '{"workflow":{"seed":18446744073709551615},"output":null}',
    )
  })
})

it.each([
  ['Silk', true, 'Silk.json'],
  ['Silk', false, 'Silk'],
  ['Silk.JSON', true, 'Silk.JSON'],
  ['a/b: c', true, 'a-b- c.json'],
  [' ', true, 'workflow.json'],
])('the file of %j (append: %j) is %j', (name, appends, expected) => {
  expect(exportName(name, appends)).toBe(expected)
})
