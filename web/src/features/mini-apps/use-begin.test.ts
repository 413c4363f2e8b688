import { describe, expect, it } from 'vitest'
import type { Origin } from '@/shared/api/types'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { beginOf, beginWith } from './use-begin'

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

describe('what a form begins with', () => {
  it('is what the form still has of the settings, and nothing that was kept back', () => {
    const told = origin([setting('seed', 7), setting('gone', 1), setting('photo', null), setting(null, 'x')])
    expect(form && beginOf(form, told).values).toEqual({ seed: 7 })
  })

  it('is the picture that was brought, in the first place for one', () => {
    const image = { id: 'i', name: 'a.png', url: '/a', thumbnailUrl: null }
    expect(form && beginWith(form, image)).toEqual({ values: { photo: 'i' }, images: { i: image } })
    const without = readForm({ type: 'object', properties: { seed: { type: 'integer' } } }, {})
    expect(without && beginWith(without, image)).toBeNull()
  })
})
