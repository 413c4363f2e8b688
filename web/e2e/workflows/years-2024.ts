import { type Fields, linkObjects, type NodeSpec, nodesOf, type Sample, workflow } from './build'
import { jsonText, number } from './text'

const EMPTY: NodeSpec = { id: 1, type: 'EmptyImage', at: [100, 130], fields: { widgets_values: [512, 512, 1, 0] } }
const SAVED: NodeSpec = { id: 9, type: 'SaveImage', at: [1200, 130], fields: { widgets_values: ['ComfyUI'] } }

/** Two nodes in one, as menus made them before subgraphs. */
const groupNodes = (config: Fields): Fields => ({
  'Soft invert': {
    nodes: [
      { ...nodesOf([{ id: -1, type: 'ImageInvert', at: [460, 130] }], [])[0], id: undefined, index: 0 },
      {
        ...nodesOf(
          [{ id: -1, type: 'ImageBlur', at: [760, 130], fields: { widgets_values: [3, number('1.0')] } }],
          [],
        )[0],
        id: undefined,
        index: 1,
      },
    ],
    links: [
      [null, 0, 0, 0, 1, 'IMAGE'],
      [0, 0, 1, 0, 5, 'IMAGE'],
    ],
    external: [[1, 0, 'IMAGE']],
    ...config,
  },
})
const groupNode = (type: string): NodeSpec => ({
  id: 5,
  type,
  at: [480, 130],
  in: 'image:IMAGE',
  out: 'IMAGE',
  fields: { title: 'Soft', properties: { 'Node name for S&R': type }, widgets_values: [3, number('1.0')] },
})
const GROUP_LINKS = ['1.0 > 5.0 IMAGE', '5.0 > 9.0 IMAGE']

const reroute = (id: number, parentId: number | undefined, pos: number[], linkIds: number[]): Fields => ({
  id,
  parentId,
  pos,
  linkIds,
})

const TEXT_IDS: NodeSpec[] = [
  { id: '1', type: 'EmptyImage', at: [0, 0], fields: { widgets_values: [64, 64, 1, 0] } },
  { id: '12', type: 'ImageInvert', at: [300, 0] },
  {
    id: '3f0e5a52-6f0e-4b6a-9a53-0d8a4b4e2f11',
    type: 'SaveImage',
    at: [600, 0],
    fields: { widgets_values: ['text ids'] },
  },
]
const TEXT_LINKS = ['1.0 > 12.0 IMAGE', '12.0 > 3f0e5a52-6f0e-4b6a-9a53-0d8a4b4e2f11.0 IMAGE']

/** Version 1: links are objects, and the last ids are in one place. */
function versionOne(
  name: string,
  nodes: NodeSpec[],
  links: string[],
  more: Fields,
  presented: Record<number, Fields>,
): Sample {
  const value: Fields = {
    id: '5e7a2b0c-6d7f-4b7e-8a3c-1f2e3d4c5b6a',
    revision: 3,
    version: 1,
    config: {},
    state: { lastGroupId: 1, lastNodeId: 9, lastLinkId: links.length, lastRerouteId: 2 },
    groups: [{ id: 1, title: 'All', bounding: [0, 0, 1600, 500], color: '#3f789e', flags: {} }],
    nodes: nodesOf(nodes, links),
    links: linkObjects(nodes, links).map((link, index) => ({ ...link, ...presented[index] })),
    extra: { ds: { scale: number('1.0'), offset: [number('-0.0'), 12.5] } },
    ...more,
  }
  return { name, text: jsonText(value), nodes: nodes.length, links: links.length }
}

const CHAIN: NodeSpec[] = [EMPTY, { id: 2, type: 'ImageInvert', at: [600, 130] }, { ...SAVED, id: 3 }]
const CHAIN_LINKS = ['1.0 > 2.0 IMAGE', '2.0 > 3.0 IMAGE']

const samples: Sample[] = [
  workflow('2023-group-node', [EMPTY, groupNode('workflow/Soft invert'), SAVED], GROUP_LINKS, {
    extra: { groupNodes: groupNodes({}) },
  }),
  workflow('2024-group-node', [EMPTY, groupNode('workflow>Soft invert'), SAVED], GROUP_LINKS, {
    extra: {
      groupNodes: groupNodes({
        config: { 1: { input: { blur_radius: { visible: false }, sigma: { name: 'softness' } } } },
      }),
      ds: { scale: number('0.9090909090909091'), offset: [number('120.50'), -44] },
    },
  }),
  workflow('2024-ids-as-text', TEXT_IDS, TEXT_LINKS, { last_node_id: 12 }),
  {
    ...workflow('2024-links-by-hand', CHAIN, CHAIN_LINKS, {
      links: [
        [2, 2, 0, 3, 0, 'IMAGE'],
        [1, 1, 0, 2, 0, 'IMAGE'],
        [7, 40, 0, 3, 0, 'IMAGE'],
        [8, 1, 5, 41, 0, '*'],
      ],
      last_link_id: 8,
    }),
    // The canvas keeps the one whose target is gone.
    links: 3,
  },
  workflow('2024-reroute-points', CHAIN, CHAIN_LINKS, {
    extra: {
      reroutes: [
        reroute(1, undefined, [460, 90], [1]),
        reroute(2, 1, [520.25, 240], [1]),
        reroute(3, undefined, [1000, 60], [2]),
      ],
      linkExtensions: [
        { id: 1, parentId: 2 },
        { id: 2, parentId: 3 },
      ],
    },
  }),
  workflow('2024-objects-in-0.4', CHAIN, CHAIN_LINKS, { links: linkObjects(CHAIN, CHAIN_LINKS) }),
  workflow(
    '2024-parts-missing',
    CHAIN.map((node) => ({ ...node, fields: { size: undefined, flags: undefined } })),
    CHAIN_LINKS,
    {
      version: undefined,
      links: [null, [1, 1, 0, 2, 0, 'IMAGE'], [2, 2, 0, 3, 0, 'IMAGE', 'more']],
      groups: null,
      extra: null,
      config: undefined,
    },
  ),
  versionOne('2024-version-1', CHAIN, CHAIN_LINKS, {}, {}),
  versionOne(
    '2024-version-1-reroute-points',
    CHAIN,
    CHAIN_LINKS,
    { reroutes: [reroute(1, undefined, [460, 90], [1]), reroute(2, undefined, [1000, 60], [2])] },
    { 0: { parentId: 1 }, 1: { parentId: 2 } },
  ),
  workflow(
    '2024-custom-nodes',
    [
      {
        id: 1,
        type: 'Text Find & Replace',
        at: [0, 0],
        in: 'text:STRING',
        out: 'result_text:STRING replacement_count_number:NUMBER',
        fields: {
          properties: {
            'Node name for S&R': 'Text Find and Replace',
            aux_id: 'a-user/a-pack',
            ver: '7e2c3f1d0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d',
          },
          widgets_values: ['"', "it's", number('1.0')],
        },
      },
      {
        id: 2,
        type: 'Power Lora Loader (rgthree)',
        at: [400, 0],
        in: 'model:MODEL clip:CLIP',
        out: 'MODEL CLIP',
        fields: {
          properties: { 'Show Strengths': 'Single Strength' },
          widgets_values: [
            {},
            { type: 'PowerLoraLoaderHeaderWidget' },
            { on: true, lora: 'a.safetensors', strength: number('0.80'), strengthTwo: null },
            {},
            '',
          ],
        },
      },
      {
        id: 3,
        type: 'SetNode',
        at: [800, 0],
        in: '*:*',
        out: '*:*',
        fields: {
          flags: { collapsed: true },
          properties: { previousName: 'IMAGE' },
          widgets_values: ['IMAGE'],
          title: 'Set_IMAGE',
          color: '#2a363b',
          bgcolor: '#3f5159',
        },
      },
      {
        id: 4,
        type: 'Fast Groups Bypasser (rgthree)',
        at: [1200, 0],
        out: 'OPT_CONNECTION:*',
        fields: { properties: { matchColors: '', sort: 'position', toggleRestriction: 'default' } },
      },
      {
        id: 5,
        type: 'Anything Everywhere?',
        at: [1600, 0],
        in: 'anything:*',
        fields: { properties: { group_restricted: 0 }, widgets_values: ['.*', '', ''] },
      },
      { ...EMPTY, id: 6, at: [2000, 0] },
    ],
    ['6.0 > 5.0 IMAGE'],
  ),
  workflow('2024-values-as-object', [
    {
      id: 1,
      type: 'VHS_VideoCombine',
      at: [0, 0],
      in: 'images:IMAGE audio:AUDIO meta_batch:VHS_BatchManager vae:VAE',
      out: 'Filenames:VHS_FILENAMES',
      fields: {
        widgets_values: {
          frame_rate: number('24.0'),
          loop_count: 0,
          filename_prefix: 'AnimateDiff',
          format: 'video/h264-mp4',
          crf: 19,
          save_metadata: true,
          videopreview: {
            hidden: false,
            paused: false,
            params: { filename: 'A_00001.mp4', frame_rate: number('24.00') },
          },
        },
      },
    },
    { ...EMPTY, id: 2, fields: { widgets_values: { 0: 64, 1: 64, 2: 1, 3: 0 } } },
  ]),
]

export default samples
