import { describe, expect, it } from 'vitest'
import type { MiniAppCard } from '@/shared/api/types'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { fillFromText, tagsOf } from './fill-from-text'

const app = (name: string, description = '', tags: unknown[] = []) =>
  ({ _id: name, name, description, workflowTags: tags }) as unknown as MiniAppCard

describe('a sentence', () => {
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

  it('fills the first free text, and every choice that it names', () => {
    expect(form && fillFromText(form, 'A silk in Ember')).toEqual({ prompt: 'A silk in ', palette: 'ember' })
  })

  it('matches the label of a choice too', () => {
    const schema = { type: 'object', properties: { palette: { type: 'string', enum: ['ember', 'dusk'] } } }
    const translations = { ko: { enumNames: ['불씨', '황혼'] } }
    const korean = readForm(schema, { palette: { 'ui:options': { translations } } }, 'ko')
    expect(korean && fillFromText(korean, '황혼 속의 비단')).toEqual({ palette: 'dusk' })
  })

  it('leaves other choices unchanged', () => {
    expect(form && fillFromText(form, 'remembered')).toEqual({ prompt: 'remembered' })
  })
})

describe('tags', () => {
  it('are read with and without a translation', () => {
    const read = tagsOf(app('a', '', ['Space', { name: 'Photo', nameKo: '사진' }, 7]))
    expect(read.map((tag) => tag.ko)).toEqual(['Space', '사진'])
  })
})
