import { describe, expect, it } from 'vitest'
import type { MiniAppCard } from '@/shared/api/types'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { bestApp, fillFromText, makesVideo, tagsOf } from './wish'

const app = (name: string, description = '', tags: unknown[] = []) =>
  ({ _id: name, name, description, workflowTags: tags }) as unknown as MiniAppCard

describe('the app for a sentence', () => {
  const silk = app('Folded Silk', '<p>Noise bends noise until it folds like heavy cloth.</p>')
  const mountains = app('Misty Mountains', '<p>Range behind range under a low sun.</p>')
  const sky = app('Deep Sky', '<p>Stars and glowing gas.</p>', ['Space'])

  it.each([
    ['a mountain in the morning', mountains],
    ['heavy cloth, red', silk],
    ['somewhere in space', sky],
    ['보라색 무언가', silk],
    ['', silk],
  ])('%s', (text, wanted) => {
    expect(bestApp(text, [silk, mountains, sky])?.name).toBe(wanted.name)
  })

  it('is rather one that takes text than one that does not', () => {
    const writer = app('Anything', '', [{ name: 'Text to image', nameKo: '텍스트로 이미지' }])
    expect(bestApp('a cat with a hat', [silk, writer])).toBe(writer)
    expect(bestApp('folded silk', [silk, writer])).toBe(silk)
  })

  it('is none where there are no apps', () => {
    expect(bestApp('a cat', [])).toBeUndefined()
  })
})

describe('what a sentence fills in', () => {
  const form = readForm(
    {
      type: 'object',
      properties: {
        palette: { type: 'string', enum: ['ember', 'dusk'], default: 'dusk' },
        prompt: { type: 'string', maxLength: 10 },
        width: { type: 'integer' },
      },
    },
    { prompt: { 'ui:widget': 'textarea' } },
  )

  it('is the first free text, and every choice that it names', () => {
    expect(form && fillFromText(form, 'A silk in Ember')).toEqual({ prompt: 'A silk in ', palette: 'ember' })
  })

  it('leaves a choice alone that it does not name', () => {
    expect(form && fillFromText(form, 'remembered')).toEqual({ prompt: 'remembered' })
  })
})

describe('tags', () => {
  it('are read with and without a translation', () => {
    const read = tagsOf(app('a', '', ['Space', { name: 'Photo', nameKo: '사진' }, 7]))
    expect(read.map((tag) => tag.ko)).toEqual(['Space', '사진'])
  })

  it('tell films from pictures', () => {
    expect(makesVideo(app('a', '', [{ name: 'Text to video' }]))).toBe(true)
    expect(makesVideo(app('a', '', ['Photo']))).toBe(false)
  })
})
