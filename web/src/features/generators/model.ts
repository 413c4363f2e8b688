import type { Generator, GeneratorTask, ModelName, WorkerModel } from '@/shared/api/types'
import type generators from '@/shared/i18n/locales/en/generators.json'
import { freeText, oneOf, type ParamsOf, urlParams } from '@/shared/lib/url-params'

/** All tasks. The record fails to compile if the API knows one more. */
const KNOWN_TASKS: Record<GeneratorTask, true> = {
  TextToImage: true,
  ImageToImage: true,
  Inpaint: true,
  Upscale: true,
  TextToVideo: true,
  ImageToVideo: true,
  FramesToVideo: true,
  VideoToVideo: true,
  TextToAudio: true,
  SoundToSound: true,
  TextTo3D: true,
  ImageTo3D: true,
  RemoveBackground: true,
  SwapFace: true,
  DescribeImage: true,
}
export const TASKS = Object.keys(KNOWN_TASKS) as GeneratorTask[]

export const STATES = ['live', 'away', 'failed'] as const
export type GeneratorStateName = (typeof STATES)[number]

export const PARTS = ['generators', 'models', 'apps'] as const

/** The open part of the page and its filters; empty values filter nothing. */
export const FILTERS = urlParams({
  part: oneOf(PARTS, 'generators'),
  task: oneOf<GeneratorTask | ''>(TASKS, ''),
  state: oneOf<GeneratorStateName | ''>(STATES, ''),
  keyword: freeText(),
})

export type Filters = ParamsOf<typeof FILTERS>

/** A family whose name is translated. */
export type FamilyKey = keyof (typeof generators)['families']

/** The names that authors give their model families, in any language. */
export const FAMILY_NAMES: Readonly<Record<string, string>> = {
  AceStep: 'ACE-Step',
  AceStep15: 'ACE-Step 1.5',
  Chroma: 'Chroma',
  Flux1Dev: 'FLUX.1 [dev]',
  Flux1Fill: 'FLUX.1 Fill',
  Flux1Kontext: 'FLUX.1 Kontext',
  Flux1Schnell: 'FLUX.1 [schnell]',
  Flux2Dev: 'FLUX.2 [dev]',
  Flux2Klein: 'FLUX.2 [klein]',
  HiDream: 'HiDream-I1',
  HiDreamE1: 'HiDream-E1.1',
  HiDreamO1: 'HiDream-O1',
  Hunyuan3D: 'Hunyuan3D',
  HunyuanVideo: 'HunyuanVideo',
  HunyuanVideo15: 'HunyuanVideo 1.5',
  Ltx: 'LTX-Video',
  Ltx13B: 'LTX-Video 13B',
  Ltx2: 'LTX-2',
  QwenImage: 'Qwen-Image',
  QwenImageEdit: 'Qwen-Image-Edit',
  Sam3: 'SAM 3',
  Sd15: 'SD 1.5',
  Sd3: 'SD 3',
  Sdxl: 'SDXL',
  SdxlLightning: 'SDXL Lightning',
  SdxlTurbo: 'SDXL Turbo',
  StableAudio: 'Stable Audio',
  StableAudio3: 'Stable Audio 3',
  Svd: 'Stable Video Diffusion',
  Wan21: 'Wan 2.1',
  Wan21FirstLast: 'Wan 2.1 FLF2V',
  Wan21Vace: 'Wan 2.1 VACE',
  Wan22: 'Wan 2.2',
  ZImage: 'Z-Image',
  ZImageTurbo: 'Z-Image Turbo',
}

/** A failure comes first: a generator that could not be renewed may still run in its earlier version. */
export function stateOf({ failure, isLive }: Generator): GeneratorStateName {
  if (failure !== null) return 'failed'
  return isLive ? 'live' : 'away'
}

/** Whether the texts together contain every word. */
export function containsWords(texts: (string | null | undefined)[], words: string): boolean {
  const text = texts.filter(Boolean).join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const APP_ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** The id of the mini app that an address or an id names; null if it names none. */
export const appIdOf = (text: string): string | null => APP_ID.exec(text)?.[0].toLowerCase() ?? null

/** What decides about a model file, as the value of a select: an admin's word, or name and header. */
export type ModelChoice = 'auto' | 'none' | `like:${string}`

export function choiceOf({ isSet, like }: WorkerModel): ModelChoice {
  if (!isSet) return 'auto'
  return like === null ? 'none' : `like:${like}`
}

/** The model that a choice names; null if it names none. */
export const likeOf = (choice: ModelChoice): string | null =>
  choice.startsWith('like:') ? choice.slice('like:'.length) : null

/** What the files of a folder can be like, by family, in the server's order. */
export function namesByFamily(names: ModelName[], folder: string): { family: string; names: string[] }[] {
  const families = new Map<string, string[]>()
  const seen = new Set<string>()
  for (const { family, name, folder: of } of names) {
    if (of !== folder || seen.has(name)) continue
    seen.add(name)
    families.set(family, [...(families.get(family) ?? []), name])
  }
  return [...families].map(([family, members]) => ({ family, names: members }))
}

/** The folders whose files generators use. */
export const foldersOf = (names: ModelName[]): string[] => [...new Set(names.map(({ folder }) => folder))]
