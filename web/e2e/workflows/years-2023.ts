import { type NodeSpec, type Sample, workflow } from './build'
import { number, type Value } from './text'

const place = (x: number, y: number): Value => ({ 0: x, 1: y })

/** The graph that ComfyUI started with. */
const BASIC: NodeSpec[] = [
  {
    id: 4,
    type: 'CheckpointLoaderSimple',
    at: [26, 474],
    fields: { size: place(315, 98), widgets_values: ['v1-5-pruned-emaonly.ckpt'] },
  },
  {
    id: 6,
    type: 'CLIPTextEncode',
    at: [415, 186],
    fields: { size: place(422.84503173828125, 164.31304931640625), widgets_values: ['a castle, (lake:1.2), 8k'] },
  },
  {
    id: 7,
    type: 'CLIPTextEncode',
    at: [413, 389],
    fields: { size: place(425.27801513671875, 180.6060791015625), widgets_values: ['text, watermark'] },
  },
  { id: 5, type: 'EmptyLatentImage', at: [473, 609], fields: { widgets_values: [512, 512, 1] } },
  {
    id: 3,
    type: 'KSampler',
    at: [863, 186],
    fields: {
      size: place(315, 262),
      widgets_values: [156680208700286, true, 20, 8, 'euler', 'normal', 1],
    },
  },
  { id: 8, type: 'VAEDecode', at: [1209, 188], fields: { size: place(210, 46) } },
  { id: 9, type: 'SaveImage', at: [1451, 189], fields: { properties: {}, widgets_values: ['ComfyUI'] } },
]
const BASIC_LINKS = [
  '4.0 > 3.0 MODEL',
  '5.0 > 3.3 LATENT',
  '4.1 > 6.0 CLIP',
  '6.0 > 3.1 CONDITIONING',
  '4.1 > 7.0 CLIP',
  '7.0 > 3.2 CONDITIONING',
  '3.0 > 8.0 LATENT',
  '4.2 > 8.1 VAE',
  '8.0 > 9.0 IMAGE',
]

const WIDTH_INPUT = {
  widget: { name: 'width', config: ['INT', { default: 512, min: 16, max: 8192, step: 8 }] },
  type: 'INT',
}
const EMPTY = { id: 1, type: 'EmptyImage', at: [100, 130], fields: { widgets_values: [512, 512, 1, 0] } }
const savedBy = (id: number): NodeSpec => ({ id, type: 'SaveImage', at: [900, 130], fields: { widgets_values: ['a'] } })

const samples: Sample[] = [
  workflow('2023-text-to-image', BASIC, BASIC_LINKS),
  workflow(
    '2023-places-as-objects',
    [
      {
        id: 1,
        type: 'EmptyImage',
        at: place(-120.5, 64),
        fields: { size: place(315, 130), widgets_values: [64, 64, 1, 0] },
      },
      { id: 2, type: 'ImageInvert', at: place(340, 64), fields: { size: { 0: 210, 1: 26 } } },
      { id: 3, type: 'PreviewImage', at: place(700, 64), fields: { size: [210, 246] } },
    ],
    ['1.0 > 2.0 IMAGE', '2.0 > 3.0 IMAGE'],
  ),
  workflow(
    '2023-reroute-nodes',
    [
      EMPTY,
      {
        id: 2,
        type: 'Reroute',
        at: [500, 130],
        fields: { size: [75, 26], properties: { showOutputText: false, horizontal: false } },
      },
      {
        id: 3,
        type: 'Reroute',
        at: [640, 200],
        fields: { size: [90.4, 26], properties: { showOutputText: true, horizontal: true } },
      },
      savedBy(4),
      {
        id: 5,
        type: 'Reroute',
        at: [640, 400],
        fields: { size: [75, 26], properties: { showOutputText: false, horizontal: false } },
      },
    ],
    ['1.0 > 2.0 IMAGE', '2.0 > 3.0 IMAGE', '3.0 > 4.0 IMAGE', '2.0 > 5.0 IMAGE'],
  ),
  workflow(
    '2023-primitives',
    [
      {
        id: 10,
        type: 'PrimitiveNode',
        at: [40, 80],
        out: 'INT',
        fields: {
          title: 'Width',
          size: { 0: 210, 1: 82 },
          outputs: [{ name: 'INT', type: 'INT', links: [1, 2], slot_index: 0, widget: WIDTH_INPUT.widget }],
          properties: { 'Run widget replace on values': false },
          widgets_values: [768, 'fixed'],
        },
      },
      {
        id: 11,
        type: 'EmptyImage',
        at: [320, 80],
        inputs: { width: WIDTH_INPUT },
        fields: { widgets_values: [768, 512, 1, 255] },
      },
      {
        id: 12,
        type: 'EmptyImage',
        at: [320, 300],
        inputs: { width: WIDTH_INPUT },
        fields: { widgets_values: [768, 256, 1, 16711680] },
      },
      savedBy(13),
    ],
    ['10.0 > 11.0 INT', '10.0 > 12.0 INT', '11.0 > 13.0 IMAGE'],
  ),
  workflow('2023-primitive-without-link', [
    {
      id: 1,
      type: 'PrimitiveNode',
      at: [40, 80],
      fields: {
        outputs: [{ name: 'connect to widget input', type: '*', links: null }],
        properties: { 'Run widget replace on values': false },
      },
    },
    {
      id: 2,
      type: 'CLIPTextEncode',
      at: [320, 80],
      inputs: { text: { type: 'STRING', widget: { name: 'text', config: ['STRING', { multiline: true }] } } },
      fields: { widgets_values: ['kept although it is an input'] },
    },
  ]),
  workflow(
    '2023-muted-and-bypassed',
    [
      { ...EMPTY, fields: { ...EMPTY.fields, mode: 2 } },
      { id: 2, type: 'ImageBlur', at: [500, 130], fields: { mode: 4, widgets_values: [number('10'), number('1.0')] } },
      { ...savedBy(3), fields: { ...savedBy(3).fields, mode: 2 } },
      {
        id: 4,
        type: 'Some Pack Node',
        at: [500, 430],
        in: 'image:IMAGE',
        out: 'IMAGE',
        fields: { mode: 4, widgets_values: [1] },
      },
      { id: 5, type: 'ImageInvert', at: [800, 430], fields: { mode: 1 } },
    ],
    ['1.0 > 2.0 IMAGE', '2.0 > 3.0 IMAGE', '1.0 > 4.0 IMAGE', '4.0 > 5.0 IMAGE'],
  ),
  workflow('2023-groups', [EMPTY, savedBy(2)], ['1.0 > 2.0 IMAGE'], {
    groups: [
      { title: 'Load', bounding: [60, 60, 400, 300], color: '#3f789e' },
      { title: 'Save, locked', bounding: [860, 60, 400.5, 300], color: '#A88', locked: true, font_size: 24 },
      { title: '', bounding: [-2000, -2000, 140, 80], color: '#444', locked: false },
    ],
  }),
  workflow('2023-seeds', [
    {
      id: 1,
      type: 'KSampler',
      at: [0, 0],
      fields: { widgets_values: [number('0'), 'fixed', 20, number('8.0'), 'euler', 'normal', number('1.00')] },
    },
    {
      id: 2,
      type: 'KSampler',
      at: [400, 0],
      fields: { widgets_values: [7, 'increment', 20, 8, 'sample_euler', 'karras', 1] },
    },
    {
      id: 3,
      type: 'KSampler',
      at: [800, 0],
      fields: { widgets_values: [9, false, 20, number('7.5'), 'dpmpp_2m', 'karras', number('0.55')] },
    },
    {
      id: 4,
      type: 'VerdigraphFlowField',
      at: [0, 400],
      fields: {
        widgets_values: [1024, 1024, 5, 'decrement', 'ember', 7, 1, number('1.60'), number('0.62'), 'dark'],
      },
    },
    {
      id: 5,
      type: 'VerdigraphFlowField',
      at: [400, 400],
      fields: { widgets_values: [64, 64, 6, 'randomize', 'a palette that is gone', 7, 1, 1, 1, 'paper'] },
    },
  ]),
  workflow('2023-notes', [
    {
      id: 1,
      type: 'Note',
      at: [0, 0],
      fields: {
        size: [420, 300],
        color: '#432',
        bgcolor: '#653',
        widgets_values: ['Line 1\nLine 2\n\n\tIndented; "quoted" \\ and <b>not</b> markup'],
      },
    },
    {
      id: 2,
      type: 'Note',
      at: [500, 0],
      fields: { title: 'How to use', properties: { text: '' }, widgets_values: ['x'.repeat(20_000)] },
    },
    { id: 3, type: 'Note', at: [1000, 0], fields: { flags: { collapsed: true }, widgets_values: [''] } },
  ]),
]
export default samples
