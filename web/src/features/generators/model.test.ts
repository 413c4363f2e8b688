import { describe, expect, it } from 'vitest'
import type { Generator, ModelName } from '@/shared/api/types'
import { choiceOf, containsWords, FILTERS, foldersOf, likeOf, namesByFamily, stateOf } from './model'

const generator: Generator = {
  recipe: 'sdxl-text-to-image',
  task: 'TextToImage',
  family: 'Sdxl',
  model: 'sd_xl_base_1.0.safetensors',
  workflow: 'w-1',
  isLive: true,
  failure: null,
  licence: null,
  memoryGib: null,
}
const name = (folder: string, family: string, name: string): ModelName => ({ folder, family, name })
const NAMES = [
  name('checkpoints', 'Sd15', 'v1_5_pruned'),
  name('checkpoints', 'Sdxl', 'sd_xl'),
  name('diffusion_models', 'Flux1Dev', 'flux1_dev'),
  name('checkpoints', 'Sd15', 'v1_5_inpaint'),
  // Two families name a file alike.
  name('checkpoints', 'SdxlTurbo', 'sd_xl'),
]

describe('the filters of generators', () => {
  it('drop unknown tasks and states', () => {
    const read = FILTERS.read(new URLSearchParams('part=x&task=Dance&state=gone&keyword= flux '))
    expect(read).toEqual({ part: 'generators', task: '', state: '', keyword: 'flux' })
  })

  it('find texts with every word, in any order', () => {
    const texts = ['SDXL', 'sd_xl_base.safetensors', null]
    expect(containsWords(texts, 'BASE sdxl')).toBe(true)
    expect(containsWords(texts, 'sdxl turbo')).toBe(false)
    expect(containsWords(texts, '')).toBe(true)
  })
})

it('a failure is the state of a generator whose earlier version still runs', () => {
  expect(stateOf(generator)).toBe('live')
  expect(stateOf({ ...generator, isLive: false })).toBe('away')
  expect(stateOf({ ...generator, failure: 'x' })).toBe('failed')
})

describe('what a model file is', () => {
  it('is an admin’s word, or left to name and header', () => {
    const model = { folder: 'checkpoints', file: 'a.safetensors', family: 'Sdxl' }
    expect(choiceOf({ ...model, isSet: false, like: null })).toBe('auto')
    expect(choiceOf({ ...model, isSet: true, like: null })).toBe('none')
    expect(choiceOf({ ...model, isSet: true, like: 'sd_xl' })).toBe('like:sd_xl')
    expect(['auto', 'none', 'like:sd_xl'].map((choice) => likeOf(choice as 'auto'))).toEqual([null, null, 'sd_xl'])
  })

  it('is chosen from the names of its folder, each once', () => {
    expect(namesByFamily(NAMES, 'checkpoints')).toEqual([
      { family: 'Sd15', names: ['v1_5_pruned', 'v1_5_inpaint'] },
      { family: 'Sdxl', names: ['sd_xl'] },
    ])
    expect(namesByFamily(NAMES, 'upscale_models')).toEqual([])
    expect(foldersOf(NAMES)).toEqual(['checkpoints', 'diffusion_models'])
  })
})
