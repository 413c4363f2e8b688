import { describe, expect, it } from 'vitest'
import { asset } from '@/shared/testing/factories'
import { type ReadForm, readForm } from '@/shared/ui/schema-form/read-form'
import { earlierValues, saidOf, withFiles } from './earlier'

const form = readForm(
  {
    type: 'object',
    properties: {
      text: { type: 'string', default: 'a boat' },
      style: { type: 'string', enum: ['ember', 'dusk'], default: 'dusk' },
      seed: { type: 'integer', default: -1 },
      picture: { type: 'string' },
      second: { type: 'string' },
    },
  },
  {
    style: { 'ui:widget': 'select', 'ui:enumNames': ['Ember glow', 'Dusk'] },
    seed: { 'ui:widget': 'seed' },
    picture: { 'ui:widget': 'image' },
    second: { 'ui:widget': 'video' },
  },
) as ReadForm

describe('the values of an earlier run', () => {
  it('are those that it was sent with, with the seed that was drawn for it', () => {
    const job = { form: { text: 'night', style: 'ember', seed: -1, picture: 'a', second: 'a' }, seeds: { seed: 4711 } }
    const { values, files, whole } = earlierValues(form, { ...job, form: { ...job.form, seed: 4711 } })
    expect(values).toEqual({ text: 'night', style: 'ember', seed: 4711, picture: 'a', second: 'a' })
    expect(files, 'one file in two fields is asked for once').toEqual(['a'])
    expect(whole).toBe(true)
    expect(earlierValues(form, job).values.seed).toBe(4711)
    expect(earlierValues(form, job).whole, 'a drawn seed is no value that the form lacks').toBe(true)
  })

  it('begin with the defaults where the run said nothing, and leave out what the form no longer takes', () => {
    const { values, whole } = earlierValues(form, { form: { style: 'gone', steps: 4, text: null }, seeds: {} })
    expect(values).toEqual({ text: 'a boat', style: 'dusk', seed: -1 })
    expect(whole).toBe(false)
    expect(earlierValues(form, { form: null, seeds: {} }).whole).toBe(true)
  })

  it('have every digit of a seed that no number here holds', () => {
    const seed = '18446744073709551557'
    const { values, whole } = earlierValues(form, { form: { seed: -1 }, seeds: { seed } })
    expect([values.seed, whole]).toEqual([seed, true])
  })

  it('lose the files that are gone, and tell how many fields that empties', () => {
    const values = { text: 'night', picture: 'a', second: 'b' }
    const found = new Map([
      ['a', asset({ _id: 'a' })],
      ['b', null],
    ])
    expect(withFiles(form, values, found)).toEqual({
      values: { text: 'night', picture: 'a' },
      images: { a: { id: 'a', name: 'boat.png', url: '/media/raw/abc.png', thumbnailUrl: '/media/w200/abc.png' } },
      gone: 1,
    })
  })
})

describe('what a run says of itself', () => {
  it('is what was written, or what was chosen as the form calls it, or nothing', () => {
    expect(saidOf(form, { form: { text: 'night', style: 'ember' } })).toBe('night')
    expect(saidOf(form, { form: { text: '', style: 'ember' } })).toBe('Ember glow')
    expect(saidOf(form, { form: { picture: 'a' } })).toBe('')
    expect(saidOf(form, { form: null })).toBe('')
  })
})
