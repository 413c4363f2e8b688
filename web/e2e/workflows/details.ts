import { type NodeSpec, type Sample, workflow } from './build'
import { jsonText, number, type Value } from './text'

const EMPTY: NodeSpec = { id: 1, type: 'EmptyImage', at: [0, 0], fields: { widgets_values: [64, 64, 1, 0] } }
const SAVED: NodeSpec = { id: 2, type: 'SaveImage', at: [400, 0], fields: { widgets_values: ['a'] } }
const LINK = ['1.0 > 2.0 IMAGE']

const NUMBERS = ['1.0', '1', '1.10', '1e-7', '1E5', '1e+20', '-0.0', '-0', '0.30000000000000004', '1.5e300']
const INTEGERS = ['9007199254740993', '18446744073709551615', '-9223372036854775808', '12345678901234567890123']
const NO_NUMBERS = ['NaN', 'Infinity', '-Infinity']
const numbers = (texts: string[]): Value => texts.map(number)

/** Five hundred nodes in rows. */
function large(): Sample {
  const [columns, count] = [25, 500]
  const nodes: NodeSpec[] = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    type:
      index % columns === 0
        ? 'EmptyImage'
        : index % columns === columns - 1
          ? 'PreviewImage'
          : index % 2
            ? 'ImageInvert'
            : 'Some Pack Filter',
    at: [(index % columns) * 340, Math.floor(index / columns) * 320],
    ...(index % columns !== 0 && index % 2 === 0 && { in: 'image:IMAGE', out: 'IMAGE' }),
    fields: { widgets_values: index % columns === 0 ? [64, 64, 1, index] : [number(`${index}.0`)] },
  }))
  const links = nodes
    .slice(1)
    .flatMap((node, index) => (index % columns === columns - 1 ? [] : [`${index + 1}.0 > ${node.id}.0 IMAGE`]))
  return workflow('large', nodes, links)
}

const blank = (name: string, value: Value): Sample => ({ name, text: jsonText(value), nodes: 0 })

const samples: Sample[] = [
  workflow(
    'numbers-as-written',
    [
      {
        ...EMPTY,
        fields: {
          properties: { numbers: numbers(NUMBERS), integers: numbers(INTEGERS) },
          widgets_values: [number('64.0'), 64, number('1.0'), number('0')],
        },
      },
      {
        id: 2,
        type: 'Some Pack Node',
        at: [number('400.0'), number('-0.0')],
        fields: { size: [number('210.00'), 130], widgets_values: numbers([...NUMBERS, ...INTEGERS]) },
      },
      { id: 3, type: 'PrimitiveInt', at: [800, 0], fields: { widgets_values: [number('9007199254740993'), 'fixed'] } },
    ],
    [],
    { extra: { ds: { scale: number('1.00'), offset: numbers(['-0.0', '1e-7']) }, integers: numbers(INTEGERS) } },
  ),
  workflow(
    'not-a-number',
    [
      {
        ...EMPTY,
        fields: { properties: { is_changed: numbers(NO_NUMBERS) }, widgets_values: [64, 64, 1, number('NaN')] },
      },
      { id: 2, type: 'Some Pack Node', at: [400, 0], fields: { widgets_values: numbers(NO_NUMBERS) } },
    ],
    [],
    { extra: { measured: numbers(NO_NUMBERS), text: 'NaN, -Infinity' } },
  ),
  workflow(
    'missing-models',
    [
      {
        id: 1,
        type: 'LoadImage',
        at: [0, 0],
        fields: { widgets_values: ['a picture that is gone (1).png', 'image'] },
      },
      {
        id: 2,
        type: 'LoadImage',
        at: [400, 0],
        fields: { widgets_values: ['clipspace/clipspace-mask-1234.5.png [input]', 'image'] },
      },
      {
        id: 3,
        type: 'CheckpointLoaderSimple',
        at: [800, 0],
        fields: {
          properties: {
            'Node name for S&R': 'CheckpointLoaderSimple',
            cnr_id: 'comfy-core',
            ver: '0.3.26',
            models: [
              {
                name: 'a.safetensors',
                url: 'https://example.org/a.safetensors?download=true',
                directory: 'checkpoints',
                hash: 'ab',
                hash_type: 'SHA256',
              },
            ],
          },
          widgets_values: ['SD1.5\\a.safetensors'],
        },
      },
    ],
    [],
    { models: [{ name: 'b.safetensors', url: 'https://example.org/b.safetensors', directory: 'vae' }] },
  ),
  workflow('looks', [
    {
      id: 1,
      type: 'EmptyImage',
      at: [-4000.25, -0.5],
      fields: {
        title: 'Far away',
        color: '#222',
        bgcolor: '#000',
        boxcolor: '#fA0',
        shape: 1,
        flags: { pinned: true, collapsed: true },
        widgets_values: [64, 64, 1, 0],
      },
    },
    {
      id: 2,
      type: 'PreviewImage',
      at: [1e7, 1e-3],
      fields: { size: [0, 0], shape: 4, flags: { collapsed: false }, properties: {} },
    },
    {
      id: 3,
      type: 'ImageInvert',
      at: [-10, -20],
      fields: { size: [1200.75, 900], title: 'Invert', resizable: false, locked: true },
    },
    {
      id: 4,
      type: 'Some Pack Node',
      at: [-10, -900],
      fields: { title: '', color: 'rgb(1,2,3)', shape: 2, flags: { ghost: false } },
    },
  ]),
  workflow(
    'korean-and-emoji',
    [
      {
        id: 1,
        type: 'MarkdownNote',
        at: [0, 0],
        fields: {
          title: '설명 📝',
          color: '#432',
          bgcolor: '#653',
          widgets_values: [
            '# 안녕하세요 👋🏽\n\n**굵게** [링크](https://example.org/?q=가나다)\n\n| 표 | 값 |\n|---|---|\n| 시드 | `42` |\n',
          ],
        },
      },
      {
        id: 2,
        type: 'StringConcatenate',
        at: [500, 0],
        fields: {
          title: '문자열 결합',
          widgets_values: ['한복을 입은 사람 👨‍👩‍👧‍👦', '"따옴표" \\ / \b\f\t \u2028 ﷽ ع', '، '],
        },
      },
      {
        id: 3,
        type: '한국어 노드',
        at: [1000, 0],
        in: '이미지:IMAGE',
        out: '결과:IMAGE',
        fields: { properties: { 이름: '값', '': 'an empty name' }, widgets_values: ['🎨'] },
      },
    ],
    [],
    {
      groups: [{ id: 1, title: '그룹 🧩', bounding: [-40, -80, 1500, 500], color: '#3f789e', flags: {} }],
      extra: { info: { name: '내 워크플로우', author: '김미라' } },
    },
  ),
  workflow(
    'unknown-fields',
    [
      {
        ...EMPTY,
        fields: {
          widgets_values: [64, 64, 1, 0],
          pack_data: { kept: [1, { deep: true }] },
          note: null,
          properties: { ttNbgOverride: { color: '#335' } },
        },
      },
      {
        ...SAVED,
        fields: {
          widgets_values: ['a'],
          properties: {},
          inputs: [{ name: 'images', type: 'IMAGE', link: 1, tooltip: 'mine', extra_info: {} }],
          outputs: [],
          unknown: [[]],
        },
      },
    ],
    LINK,
    {
      seed_widgets: { 3: 0 },
      workspace_info: { id: 'k3', saveLock: false, cloudID: null },
      config: { links_ontop: true, align_to_grid: false },
      groups: [
        {
          id: 7,
          title: 'G',
          bounding: [0, -80, 900, 400],
          color: '#444',
          font_size: 30,
          flags: { pinned: true },
          mine: 'yes',
        },
      ],
      extra: {
        ue_links: [],
        VHS_latentpreview: true,
        node_versions: { 'comfy-core': '0.3.14' },
        workspace_info: { id: 'x' },
        nested: { list: [null, false, '', {}] },
      },
    },
  ),
  workflow(
    'inputs-of-2025',
    [
      {
        id: 1,
        type: 'PrimitiveInt',
        at: [0, 0],
        inputs: { value: { type: 'INT', localized_name: 'value', widget: { name: 'value' } } },
        fields: {
          properties: { cnr_id: 'comfy-core', ver: '0.3.64', 'Node name for S&R': 'PrimitiveInt' },
          widgets_values: [128, 'fixed'],
        },
      },
      {
        id: 2,
        type: 'EmptyImage',
        at: [400, 0],
        inputs: Object.fromEntries(
          ['width', 'height', 'batch_size', 'color'].map((name) => [
            name,
            { type: 'INT', localized_name: name, widget: { name } },
          ]),
        ),
        fields: { widgets_values: [128, 64, 1, 0] },
      },
      {
        id: 3,
        type: 'ImageScale',
        at: [800, 0],
        inputs: { image: { label: 'picture', shape: 7 }, width: { type: 'INT', widget: { name: 'width' } } },
        fields: { widgets_values: ['lanczos', 256, 256, 'center'] },
      },
      { ...SAVED, id: 4, at: [1200, 0] },
    ],
    ['1.0 > 2.0 INT', '2.0 > 3.0 IMAGE', '1.0 > 3.1 INT', '3.0 > 4.0 IMAGE'],
  ),
  workflow(
    'values-by-name-2026',
    [
      {
        ...EMPTY,
        fields: {
          showAdvanced: true,
          widgets_values: [64, 64, 1, 0],
          widgets_values_named: { width: 64, height: 64, batch_size: 1, color: 0 },
        },
      },
      {
        id: 2,
        type: 'Some New Node',
        at: [400, 0],
        in: 'image:IMAGE',
        fields: {
          widgets_values: [number('1.0'), 'b'],
          widgets_values_named: { strength: number('1.0'), mode: 'b', gone: number('NaN') },
        },
      },
    ],
    LINK,
    { id: '9b1f6c1e-3a51-4c0c-9c53-0b1d1c6f2a77', revision: 12 },
  ),
  workflow('app-mode-2026', [{ ...EMPTY, fields: { ...EMPTY.fields, title: 'Canvas' } }, SAVED], LINK, {
    id: '0c9f6c1e-3a51-4c0c-9c53-0b1d1c6f2a77',
    revision: 0,
    extra: {
      linearMode: true,
      linearData: {
        inputs: [
          [1, 'width'],
          [1, 'color', { height: 120 }],
        ],
        outputs: [2],
      },
      frontendVersion: '1.56.3',
      workflowRendererVersion: 'LG',
    },
  }),
  workflow('places-of-nodes-2', [EMPTY, SAVED], LINK, {
    groups: [{ id: 1, title: 'G', bounding: [-20, -80, 900, 400], color: '#444', flags: {} }],
    extra: { workflowRendererVersion: 'Vue', ds: { scale: 1, offset: [0, 0] }, frontendVersion: '1.42.0' },
  }),
  blank('empty', {
    last_node_id: 0,
    last_link_id: 0,
    nodes: [],
    links: [],
    groups: [],
    config: {},
    extra: {},
    version: number('0.4'),
  }),
  large(),
]

export default samples
