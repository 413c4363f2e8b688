import { describe, expect, it } from 'vitest'
import type { Origin } from '@/shared/api/types'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { valuesOfOrigin, valuesWithImage } from './use-initial-values'

const form = readForm(
  { type: 'object', properties: { seed: { type: 'integer' }, photo: { type: 'string', format: 'uuid' } } },
  { photo: { 'ui:widget': 'image' } },
)

const setting = (field: string | null, value: unknown) => ({ field, title: '', widget: 'range', value, label: null })
const origin = (settings: Origin['settings']): Origin => ({
  _id: 'p',
  isTold: true,
  workflow: null,
  workflowApi: 'a',
  settings,
  uploads: [],
})

describe('the initial values of a form', () => {
  it('are the settings that the form still has, without hidden ones', () => {
    const picked = origin([setting('seed', 7), setting('gone', 1), setting('photo', null), setting(null, 'x')])
    expect(form && valuesOfOrigin(form, picked).values).toEqual({ seed: 7 })
  })

  it('are the passed picture in the first image field', () => {
    const image = { id: 'i', name: 'a.png', url: '/a', thumbnailUrl: null }
    expect(form && valuesWithImage(form, image)).toEqual({ values: { photo: 'i' }, images: { i: image } })
    const without = readForm({ type: 'object', properties: { seed: { type: 'integer' } } }, {})
    expect(without && valuesWithImage(without, image)).toBeNull()
  })
})
