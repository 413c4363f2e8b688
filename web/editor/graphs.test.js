import { expect, it } from 'vitest'
import { loadable } from './graphs.js'

const NODES = [{ id: 1, type: 'A', pos: [0, 0] }]
const ARRAY = [1, 1, 0, 2, 0, 'IMAGE']
const OBJECT = { id: 1, origin_id: 1, origin_slot: 0, target_id: 2, target_slot: 0, type: 'IMAGE' }

it.each([
  ['arrays in 0.4', { version: 0.4, links: [ARRAY] }, { version: 0.4, links: [ARRAY] }],
  ['objects in 0.4', { version: 0.4, links: [OBJECT] }, { version: 0.4, links: [ARRAY] }],
  ['objects by id', { version: 0.4, links: { 1: OBJECT } }, { version: 0.4, links: [ARRAY] }],
  ['no version', { links: [ARRAY] }, { version: 0.4, links: [ARRAY] }],
  ['a version as text', { version: '0.4', links: [ARRAY] }, { version: 0.4, links: [ARRAY] }],
  [
    'objects in 1',
    { version: 1, links: [{ ...OBJECT, parentId: 3 }] },
    { version: 1, links: [{ ...OBJECT, parentId: 3 }] },
  ],
  ['arrays in 1', { version: 1, links: [ARRAY] }, { version: 1, links: [OBJECT] }],
  ['no links', { version: 0.4 }, { version: 0.4, links: [] }],
  ['nulls', { version: 0.4, links: [null, ARRAY], groups: null, extra: null }, { version: 0.4, links: [ARRAY] }],
])('loads %s', (_, given, loaded) => {
  expect(loadable({ nodes: NODES, ...given })).toEqual({ nodes: NODES, ...loaded })
})

it('leaves out what is no node, and keeps all other fields', () => {
  const graph = { nodes: [null, ...NODES, { id: 2 }], links: [], mine: 1, version: 0.4 }
  expect(loadable(graph)).toEqual({ nodes: NODES, links: [], mine: 1, version: 0.4 })
})

it('loads subgraphs, which have objects as links', () => {
  const inner = { id: 'a', nodes: [null, ...NODES], links: [ARRAY, null], config: null }
  const loaded = loadable({ nodes: NODES, version: 0.4, definitions: { subgraphs: [null, inner], mine: 1 } })
  expect(loaded.definitions).toEqual({ subgraphs: [{ id: 'a', version: 1, nodes: NODES, links: [OBJECT] }], mine: 1 })
})
