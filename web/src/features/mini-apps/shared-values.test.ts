import { expect, it } from 'vitest'
import { type ReadForm, readForm } from '@/shared/ui/schema-form/read-form'
import { hasShared, MAX_SHARED_LENGTH, omitsValues, sharedHash, sharedValues } from './shared-values'

const form = readForm(
  {
    type: 'object',
    properties: {
      text: { type: 'string' },
      strength: { type: 'number' },
      upscale: { type: 'boolean' },
      photo: { type: 'string' },
      clip: { type: 'string' },
      voice: { type: 'string' },
      notes: { type: 'string' },
    },
  },
  {
    photo: { 'ui:widget': 'image' },
    clip: { 'ui:widget': 'video' },
    voice: { 'ui:widget': 'audio' },
    notes: { 'ui:widget': 'textfile' },
  },
) as ReadForm

const files = { photo: 'id-1', clip: 'id-2', voice: 'id-3', notes: 'id-4' }
const values = { text: '고양이 & 개 #1 100%', strength: 0, upscale: false, ...files }

it('a link restores the values, in any language, falsy ones included', () => {
  const hash = sharedHash(form, values) ?? ''
  expect(hasShared(hash)).toBe(true)
  const arrived = new URL(hash, 'https://here.example/easy-app/a').hash
  expect(sharedValues(form, arrived)).toEqual({ text: values.text, strength: 0, upscale: false })
})

it('a link contains no uploads, and says that some are left out', () => {
  expect(decodeURIComponent(sharedHash(form, values) ?? '')).not.toContain('id-')
  expect(omitsValues(form, values)).toBe(true)
  expect(omitsValues(form, { text: 'x' })).toBe(false)
  for (const [name, id] of Object.entries(files)) expect(omitsValues(form, { [name]: id }), name).toBe(true)
})

it('uploads and unknown fields of a link are ignored', () => {
  const json = JSON.stringify({ photo: 'id-9', notes: 'id-9', gone: 1, text: { deep: 1 }, strength: 2, __proto__: 1 })
  expect(sharedValues(form, `#${new URLSearchParams({ with: json })}`)).toEqual({ strength: 2 })
})

it.each(['', '#', '#run', '#with=', '#with=%7B', '#with=null', '#with=5', '#with=%5B1%5D'])(
  'an address without readable values is ignored: %s',
  (hash) => {
    expect(sharedValues(form, hash)).toEqual({})
  },
)

it('values too long for an address make no link, and are not read', () => {
  const text = 'x'.repeat(MAX_SHARED_LENGTH)
  expect(sharedHash(form, { text })).toBeNull()
  expect(sharedValues(form, `#${new URLSearchParams({ with: JSON.stringify({ text }) })}`)).toEqual({})
})
