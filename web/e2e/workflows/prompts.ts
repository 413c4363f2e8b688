import { type Fields, prompt, type Sample } from './build'
import { jsonText, number } from './text'

/** What the export of a graph with subgraphs has: the ids of inner nodes begin with those of the nodes around them. */
const inner = (separator: string): Record<string, Fields> => ({
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 0 } },
  [`2${separator}11`]: { class_type: 'ImageInvert', inputs: { image: ['1', 0] }, _meta: { title: 'Invert' } },
  [`2${separator}12`]: {
    class_type: 'ImageBlur',
    inputs: { image: [`2${separator}11`, 0], blur_radius: 3, sigma: number('1.0') },
  },
  9: { class_type: 'SaveImage', inputs: { images: [`2${separator}12`, 0], filename_prefix: 'a' } },
})

const samples: Sample[] = [
  prompt('prompt', {
    3: {
      class_type: 'KSampler',
      inputs: {
        seed: number('18446744073709551615'),
        steps: 20,
        cfg: number('8.0'),
        sampler_name: 'euler',
        scheduler: 'normal',
        denoise: number('1.00'),
        model: ['4', 0],
        positive: ['6', 0],
        negative: ['7', 0],
        latent_image: ['5', 0],
      },
      _meta: { title: 'KSampler 🎲' },
    },
    4: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' }, _meta: { title: '체크포인트' } },
    5: { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 512, batch_size: 1 } },
    6: { class_type: 'CLIPTextEncode', inputs: { text: 'a "castle"\n\\', clip: ['4', 1] } },
    7: { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['4', 1] } },
    8: { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
    9: { class_type: 'SaveImage', inputs: { filename_prefix: 'ComfyUI', images: ['8', 0] } },
  }),
  prompt('prompt-by-hand', {
    canvas: {
      class_type: 'EmptyImage',
      inputs: { width: number('64.0'), height: 64, batch_size: 1, color: 0, unknown: number('1e-7') },
      is_changed: [number('NaN')],
    },
    filter: {
      class_type: 'Some Pack Filter',
      inputs: {
        image: ['canvas', 0],
        strength: number('0.50'),
        points: { __value__: [[1, number('2.0')]] },
        on: true,
        nothing: null,
      },
      _meta: {},
    },
    '12': { class_type: 'PreviewImage', inputs: { images: ['filter', 0] }, mine: 'kept' },
  }),
  { ...prompt('prompt-of-subgraphs', inner(':')), imported: jsonText(inner('_')) },
]
export default samples
