import { describe, expect, it } from 'vitest'
import { asset } from '@/shared/testing/factories'
import { type ReadForm, readForm } from '@/shared/ui/schema-form/read-form'
import { earlierValues, summaryOf, withFiles } from './earlier-values'

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
    second: { 'ui:widget': 'textfile' },
  },
) as ReadForm

describe('the values of an earlier run', () => {
  it('are its input, with the seed that was used', () => {
    const job = { form: { text: 'night', style: 'ember', seed: -1, picture: 'a', second: 'a' }, seeds: { seed: 4711 } }
    const { values, files, isComplete } = earlierValues(form, { ...job, form: { ...job.form, seed: 4711 } })
    expect(values).toEqual({ text: 'night', style: 'ember', seed: 4711, picture: 'a', second: 'a' })
    expect(files, 'one file in two fields is asked for once').toEqual(['a'])
    expect(isComplete).toBe(true)
    expect(earlierValues(form, job).values.seed).toBe(4711)
    expect(earlierValues(form, job).isComplete, 'a used seed does not count as an unknown field').toBe(true)
  })

  it('default missing values, and drop unknown ones', () => {
    const { values, isComplete } = earlierValues(form, { form: { style: 'gone', steps: 4, text: null }, seeds: {} })
    expect(values).toEqual({ text: 'a boat', style: 'dusk', seed: -1 })
    expect(isComplete).toBe(false)
    expect(earlierValues(form, { form: null, seeds: {} }).isComplete).toBe(true)
  })

  it('keep every digit of large seeds', () => {
    const seed = '18446744073709551557'
    const { values, isComplete } = earlierValues(form, { form: { seed: -1 }, seeds: { seed } })
    expect([values.seed, isComplete]).toEqual([seed, true])
  })

  it('drop deleted files, and count the affected fields', () => {
    const values = { text: 'night', picture: 'a', second: 'b' }
    const found = new Map([
      ['a', asset({ _id: 'a' })],
      ['b', null],
    ])
    expect(withFiles(form, values, found)).toEqual({
      values: { text: 'night', picture: 'a' },
      images: {
        a: {
          id: 'a',
          name: 'boat.png',
          url: '/media/raw/abc.png',
          thumbnailUrl: '/media/w200/abc.png',
          sizeBytes: 12_345,
        },
      },
      gone: 1,
    })
  })
})

describe('the summary of a run', () => {
  it('is its text, else its choice by label, else empty', () => {
    expect(summaryOf(form, { form: { text: 'night', style: 'ember' } })).toBe('night')
    expect(summaryOf(form, { form: { text: '', style: 'ember' } })).toBe('Ember glow')
    expect(summaryOf(form, { form: { picture: 'a' } })).toBe('')
    expect(summaryOf(form, { form: null })).toBe('')
  })
})
