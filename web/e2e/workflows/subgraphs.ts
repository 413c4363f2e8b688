import { type Fields, linkObjects, type NodeSpec, nodesOf, type Sample, workflow } from './build'
import { number } from './text'

const uuid = (digit: string) => `${digit.repeat(8)}-1111-4222-8333-${digit.repeat(12)}`

type Definition = {
  id: string
  name: string
  nodes: NodeSpec[]
  links: string[]
  /** The id of the first link. The front end counts them through all graphs of a file. */
  first: number
  /** Sockets, each with its name, its type and the links inside. */
  inputs?: [name: string, type: string, linkIds: number[], more?: Fields][]
  outputs?: [name: string, type: string, linkIds: number[], more?: Fields][]
  fields?: Fields
}

/** The nodes at the ends of a subgraph, which links name by these ids. */
const [INPUTS, OUTPUTS] = [-10, -20]

function definition({ id, name, nodes, links, first, inputs = [], outputs = [], fields }: Definition): Fields {
  const sockets = (list: NonNullable<Definition['inputs']>, kind: string) =>
    list.map(([socket, type, linkIds, more], slot) => ({
      id: `${kind}${slot}aa0b1c-2d3e-4f50-8a1b-2c3d4e5f6a7b`,
      name: socket,
      type,
      linkIds,
      pos: [80.5, 120 + slot * 20],
      ...more,
    }))
  return {
    id,
    version: 1,
    state: { lastGroupId: 1, lastNodeId: 60, lastLinkId: 60, lastRerouteId: 4 },
    revision: 0,
    config: {},
    name,
    inputNode: { id: INPUTS, bounding: [0, 100, 120, 80] },
    outputNode: { id: OUTPUTS, bounding: [1400, 100, 120, 60] },
    inputs: sockets(inputs, 'a'),
    outputs: sockets(outputs, 'b'),
    widgets: [],
    nodes: nodesOf(nodes, links, first),
    groups: [],
    links: linkObjects(nodes, links, first),
    extra: { workflowRendererVersion: 'LG' },
    ...fields,
  }
}

const invert: Definition = {
  id: uuid('1'),
  name: 'Soft invert',
  nodes: [
    { id: 11, type: 'ImageInvert', at: [200, 100] },
    { id: 12, type: 'ImageBlur', at: [600, 100], fields: { widgets_values: [3, number('1.0')] } },
  ],
  links: ['-10.0 > 11.0 IMAGE', '11.0 > 12.0 IMAGE', '12.0 > -20.0 IMAGE'],
  first: 31,
  inputs: [['image', 'IMAGE', [31], { localized_name: 'image' }]],
  outputs: [['IMAGE', 'IMAGE', [33]]],
}
const INVERT = definition(invert)

const instance = (id: number, of: { id: string }, x: number, fields: Fields = {}): NodeSpec => ({
  id,
  type: of.id,
  at: [x, 130],
  in: 'image:IMAGE',
  out: 'IMAGE',
  fields: { properties: {}, ...fields },
})
const EMPTY: NodeSpec = { id: 1, type: 'EmptyImage', at: [0, 130], fields: { widgets_values: [64, 64, 1, 0] } }
const SAVED: NodeSpec = { id: 9, type: 'SaveImage', at: [1200, 130], fields: { widgets_values: ['s'] } }
const more = (subgraphs: Fields[], extra: Fields = {}): Fields => ({
  id: uuid('0'),
  revision: 0,
  definitions: { subgraphs },
  extra: { frontendVersion: '1.27.10', workflowRendererVersion: 'LG', ...extra },
})

const outer: Definition = {
  id: uuid('2'),
  name: 'Twice',
  nodes: [instance(21, invert, 200), instance(22, invert, 600, { mode: 4 })],
  links: ['-10.0 > 21.0 IMAGE', '21.0 > 22.0 IMAGE', '22.0 > -20.0 IMAGE'],
  // Early files counted them in each graph.
  first: 1,
  inputs: [['image', 'IMAGE', [1]]],
  outputs: [['IMAGE', 'IMAGE', [3]]],
}

/** A subgraph whose widgets are shown on its node. */
const field: Definition = {
  id: uuid('3'),
  name: 'Flow field',
  nodes: [
    {
      id: 31,
      type: 'VerdigraphFlowField',
      at: [300, 100],
      inputs: {
        seed: { type: 'INT', widget: { name: 'seed' } },
        palette: { type: 'COMBO', widget: { name: 'palette' } },
      },
      fields: {
        widgets_values: [
          512,
          512,
          number('9007199254740991'),
          'fixed',
          'ember',
          number('7.0'),
          1,
          number('1.60'),
          number('0.620'),
          'dark',
        ],
      },
    },
  ],
  links: ['-10.0 > 31.0 INT', '-10.1 > 31.1 COMBO', '31.0 > -20.0 IMAGE'],
  first: 41,
  inputs: [
    ['seed', 'INT', [41], { label: 'noise' }],
    ['palette', 'COMBO', [42]],
  ],
  outputs: [['IMAGE', 'IMAGE', [43]]],
}
const promoted: NodeSpec = {
  id: 5,
  type: field.id,
  at: [400, 130],
  out: 'IMAGE',
  inputs: {
    seed: { type: 'INT', label: 'noise', widget: { name: 'seed' } },
    palette: { type: 'COMBO', widget: { name: 'palette' } },
  },
  fields: { properties: { cnr_id: 'comfy-core', ver: '0.3.64' }, widgets_values: [] },
}

const samples: Sample[] = [
  workflow(
    '2025-subgraph',
    [EMPTY, instance(2, invert, 400), instance(3, invert, 800, { title: 'Again', color: '#233' }), SAVED],
    ['1.0 > 2.0 IMAGE', '2.0 > 3.0 IMAGE', '3.0 > 9.0 IMAGE'],
    more([INVERT]),
  ),
  workflow(
    '2025-nested-subgraphs',
    [EMPTY, instance(2, outer, 400), SAVED],
    ['1.0 > 2.0 IMAGE', '2.0 > 9.0 IMAGE'],
    more([definition(outer), INVERT]),
  ),
  workflow('2025-promoted-inputs', [promoted, SAVED], ['5.0 > 9.0 IMAGE'], more([definition(field)])),
  workflow(
    '2025-proxy-widgets',
    [
      {
        ...promoted,
        inputs: {},
        fields: {
          properties: {
            proxyWidgets: [
              ['31', 'seed'],
              ['31', 'spacing'],
              ['-1', 'palette'],
            ],
          },
          widgets_values: [],
        },
      },
      SAVED,
    ],
    ['5.0 > 9.0 IMAGE'],
    more([
      definition({
        ...field,
        nodes: field.nodes.map((node) => ({ ...node, inputs: {} })),
        links: ['31.0 > -20.0 IMAGE'],
        inputs: [],
        outputs: [['IMAGE', 'IMAGE', [41]]],
      }),
    ]),
  ),
  workflow(
    '2025-subgraph-reroutes-and-groups',
    [EMPTY, instance(2, invert, 400), SAVED],
    ['1.0 > 2.0 IMAGE', '2.0 > 9.0 IMAGE'],
    more([
      {
        ...INVERT,
        description: 'Inverts, then blurs',
        category: 'Mine',
        groups: [{ id: 1, title: 'Inside', bounding: [180, 40, 800, 400], color: '#8A8', flags: {} }],
        reroutes: [{ id: 1, pos: [560, 60], linkIds: [32] }],
        links: linkObjects(invert.nodes, invert.links, 31).map((link) =>
          link.id === 32 ? { ...link, parentId: 1 } : link,
        ),
      },
    ]),
  ),
  workflow(
    '2025-muted-subgraphs',
    [
      EMPTY,
      instance(2, invert, 400, { mode: 2 }),
      instance(3, invert, 800, { mode: 4, flags: { collapsed: true } }),
      SAVED,
    ],
    ['1.0 > 2.0 IMAGE', '1.0 > 3.0 IMAGE', '3.0 > 9.0 IMAGE'],
    more([INVERT]),
  ),
  workflow('2025-unused-subgraph', [EMPTY, SAVED], ['1.0 > 9.0 IMAGE'], more([INVERT])),
  workflow(
    '2025-subgraph-missing-class',
    [EMPTY, instance(2, { id: uuid('4') }, 400), SAVED],
    ['1.0 > 2.0 IMAGE', '2.0 > 9.0 IMAGE'],
    more([
      definition({
        ...invert,
        id: uuid('4'),
        name: 'Upscale & more',
        nodes: [
          {
            id: 41,
            type: 'UltimateSDUpscale',
            at: [200, 100],
            in: 'image:IMAGE model:MODEL',
            out: 'IMAGE',
            fields: {
              properties: {
                cnr_id: 'comfyui_ultimatesdupscale',
                ver: '1.2.0',
                'Node name for S&R': 'UltimateSDUpscale',
              },
              widgets_values: [2, number('18446744073709551615'), 'randomize', number('0.20'), number('1e-05')],
            },
          },
        ],
        links: ['-10.0 > 41.0 IMAGE', '41.0 > -20.0 IMAGE'],
        outputs: [['IMAGE', 'IMAGE', [32]]],
      }),
    ]),
  ),
]
export default samples
