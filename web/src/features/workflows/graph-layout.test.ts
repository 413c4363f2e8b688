import { describe, expect, it } from 'vitest'
import { drawGraph } from './graph-layout'

const link = (id: string) => [id, 0]

describe('the drawing of a graph', () => {
  it('puts each node of a prompt behind its inputs', () => {
    const drawing = drawGraph({
      workflow: null,
      output: {
        save: { class_type: 'SaveImage', inputs: { images: link('mix') } },
        one: { class_type: 'EmptyImage', inputs: { width: 8 } },
        two: { class_type: 'Blur', inputs: { image: link('one') } },
        mix: { class_type: 'Blend', inputs: { a: link('one'), b: link('two') }, _meta: { title: 'Mix them' } },
      },
    })
    const x = (id: string) => drawing?.boxes.find((box) => box.id === id)?.x ?? Number.NaN
    expect(x('one')).toBeLessThan(x('two'))
    expect(x('two')).toBeLessThan(x('mix'))
    expect(x('mix')).toBeLessThan(x('save'))
    expect(drawing?.lines).toHaveLength(4)
    expect(drawing?.boxes.find((box) => box.id === 'mix')?.title).toBe('Mix them')
    expect(drawing?.boxes.find((box) => box.id === 'one')?.facts).toEqual(['width: 8'])
  })

  it("keeps the editor's positions", () => {
    const drawing = drawGraph({
      workflow: {
        nodes: [
          { id: 1, type: 'A', pos: [10, 20], size: [100, 50] },
          { id: 2, type: 'B', pos: { 0: 400, 1: 20 }, title: 'Second' },
        ],
        links: [[7, 1, 0, 2, 0, 'IMAGE']],
      },
      output: null,
    })
    expect(drawing?.boxes.map(({ x, y, title }) => [x, y, title])).toEqual([
      [10, 20, 'A'],
      [400, 20, 'Second'],
    ])
    expect(drawing?.lines).toHaveLength(1)
    expect(drawing?.x).toBeLessThan(10)
  })

  it('names subgraphs, and marks disabled nodes', () => {
    const id = '5f0c2f52-7b7e-4c64-9c1e-0d2a6e1b9f10'
    const drawing = drawGraph({
      workflow: {
        definitions: { subgraphs: [{ id, name: 'Sketch to fox', nodes: [] }, null] },
        nodes: [
          { id: 2, type: id, mode: 0, pos: ['50.0', 100] },
          { id: 3, type: id, title: id, mode: 4 },
          { id: 4, type: 'PreviewImage', title: 'Look', mode: 2 },
        ],
      },
      output: null,
    })
    expect(drawing?.boxes.map(({ title, off }) => [title, off])).toEqual([
      ['Sketch to fox', null],
      ['Sketch to fox', 'bypassed'],
      ['Look', 'muted'],
    ])
    expect(drawing?.boxes[0]?.x).toBe(50)
    expect(drawGraph({ workflow: { nodes: [{ id: 1, type: id }], definitions: 7 }, output: null })?.boxes).toHaveLength(
      1,
    )
  })

  it('counts nodes beyond the limit', () => {
    const nodes = Array.from({ length: 523 }, (_, id) => ({ id, type: 'A' }))
    const drawn = drawGraph({ workflow: { nodes }, output: null })
    expect([drawn?.boxes.length, drawn?.total]).toEqual([400, 523])
    const output = Object.fromEntries(nodes.map(({ id }) => [`n${id}`, { class_type: 'A' }]))
    expect(drawGraph({ workflow: null, output })?.total).toBe(523)
  })

  it('survives cycles, broken links and malformed nodes', () => {
    const circle = {
      a: { class_type: 'A', inputs: { x: link('b') } },
      b: { class_type: 'B', inputs: { x: link('a') } },
    }
    expect(drawGraph({ workflow: null, output: circle })?.boxes).toHaveLength(2)
    const broken = drawGraph({
      workflow: { nodes: [{ id: 1 }, null, 3], links: [[1, 1, 0, 99, 0], 'x'] },
      output: null,
    })
    expect([broken?.boxes.length, broken?.lines.length]).toEqual([1, 0])
    expect(drawGraph({ workflow: { nodes: [] }, output: null })).toBeNull()
    expect(drawGraph({ workflow: null, output: null })).toBeNull()
  })

  it('ignores nodes with absurd positions', () => {
    const far = drawGraph({
      workflow: {
        nodes: [
          { id: 1, type: 'A', pos: [1e308, -1e308] },
          { id: 2, type: 'B', pos: [40, 40] },
        ],
      },
      output: null,
    })
    expect(far?.boxes).toHaveLength(2)
    expect(far?.width, 'all else is a dot').toBeLessThan(2000)
    expect(far?.height).toBeLessThan(2000)
  })

  it('draws the readable part of a foreign graph', () => {
    const odd = [12, { en: 'Fox' }, ['a'], null, true, '', 'Fox']
    const prompt = Object.fromEntries(
      odd.map((title, at) => [
        String(at),
        { class_type: 'Blur', inputs: { image: [String(at + 1), 0] }, _meta: { title } },
      ]),
    )
    const strange = { ...prompt, a: null, b: 'text', c: { class_type: {}, inputs: 7, _meta: 'x' }, d: { inputs: null } }
    const drawing = drawGraph({ workflow: null, output: strange } as never)
    const titles = Object.fromEntries(drawing?.boxes.map(({ id, title }) => [id, title]) ?? [])
    expect(titles).toEqual({
      0: '12',
      1: 'Blur',
      2: 'Blur',
      3: 'Blur',
      4: 'Blur',
      5: 'Blur',
      6: 'Fox',
      a: '',
      b: '',
      c: '',
      d: '',
    })
    const nodes = [
      { id: 1, type: { x: 1 }, title: { en: 'Fox' }, pos: 'left', size: null },
      null,
      7,
      { id: {}, title: 5 },
    ]
    const drawn = drawGraph({ workflow: { nodes, links: [null, 5, [1], { origin_id: {} }] }, output: null } as never)
    expect(drawn?.boxes.map(({ title }) => title)).toEqual(['', '5'])
    expect(drawGraph({ workflow: null, output: 'text' } as never)).toBeNull()
  })
})
