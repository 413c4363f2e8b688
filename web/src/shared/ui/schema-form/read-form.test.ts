import { describe, expect, it } from 'vitest'
import { defaultsOf, type ReadForm, readForm, restoreValues } from './read-form'

const read = (properties: object, ui: object = {}, required: string[] = []): ReadForm => {
  const form = readForm({ type: 'object', properties, required }, ui)
  if (!form) throw new Error('not a form')
  return form
}

describe('readForm', () => {
  it('uses translated texts where they exist and the original elsewhere', () => {
    const schema = {
      type: 'object',
      properties: {
        palette: { type: 'string', title: 'Palette', description: 'The colours.', enum: ['ember', 'dusk'] },
        width: { type: 'integer', title: 'Width' },
      },
    }
    const ko = { title: '색 조합', enumNames: ['불씨', '황혼'] }
    const ui = { palette: { 'ui:options': { enumNames: ['Ember', 'Dusk'], translations: { ko } } } }
    const [palette, width] = readForm(schema, ui, 'ko')?.fields ?? []
    expect(palette).toMatchObject({ title: '색 조합', description: 'The colours.', labels: ['불씨', '황혼'] })
    expect(palette?.options).toEqual(['ember', 'dusk'])
    expect(width?.title).toBe('Width')
    expect(readForm(schema, ui)?.fields[0]).toMatchObject({ title: 'Palette', labels: ['Ember', 'Dusk'] })
  })

  it('ignores texts that are not strings', () => {
    const translations = { ko: { title: { text: '너비' }, description: 7, enumNames: 'x' } }
    const ui = { width: { 'ui:options': { translations } } }
    const form = readForm({ type: 'object', properties: { width: { type: 'integer', title: 'Width' } } }, ui, 'ko')
    expect(form?.fields[0]).toMatchObject({ title: 'Width' })
    expect(form?.fields[0]?.description).toBeUndefined()
  })

  it('uses the widget that the server chose', () => {
    const form = read(
      {
        s: { type: 'integer' },
        m: { type: 'string' },
        i: { type: 'string' },
        f: { type: 'string', format: 'uuid' },
        t: { type: 'boolean' },
        r: { type: 'number' },
      },
      {
        s: { 'ui:widget': 'seed' },
        m: { 'ui:widget': 'model', 'ui:options': { folder: 'loras' } },
        i: { 'ui:widget': 'image' },
        f: { 'ui:widget': 'textfile' },
        t: { 'ui:widget': 'toggle' },
        r: { 'ui:widget': 'range' },
      },
    )
    expect(form.fields.map((f) => f.widget)).toEqual(['seed', 'model', 'image', 'textfile', 'toggle', 'range'])
    expect(form.fields[1]?.folder).toBe('loras')
  })

  it('falls back to the type if a widget is unknown or does not fit', () => {
    const form = read(
      { a: { type: 'string' }, b: { type: 'boolean' }, c: { type: 'number' }, d: { type: 'string', enum: ['x'] } },
      {
        a: { 'ui:widget': 'seed' },
        b: { 'ui:widget': 'script' },
        c: { 'ui:widget': 'image' },
        d: { 'ui:widget': 'html' },
      },
    )
    expect(form.fields.map((f) => f.widget)).toEqual(['text', 'toggle', 'range', 'select'])
  })

  it('follows the order and puts unnamed fields last', () => {
    const form = read(
      { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
      { 'ui:order': ['c', 'gone', 'a'] },
    )
    expect(form.fields.map((f) => f.name)).toEqual(['c', 'a', 'b'])
  })

  it('drops references, patterns and nested objects', () => {
    const form = read({
      evil: { type: 'string', pattern: '(a+)+$', $ref: '#/x', title: 'Evil' },
      nested: { type: 'object', properties: {} },
      constructor: { type: 'string' },
    })
    expect(JSON.stringify(form)).not.toMatch(/pattern|\$ref/)
    expect(form.fields.map((f) => f.name)).toEqual(['evil'])
  })

  it('reads big limits and defaults as strings of digits', () => {
    const large = '18446744073709551615'
    const form = read({ seed: { type: 'integer', minimum: 0, maximum: large, default: large } })
    expect(form.fields[0]).toMatchObject({ minimum: 0, maximum: large, default: large })
  })

  it('has a field for a list of any types', () => {
    const form = read({ a: { enum: [1, 'x', true] }, b: { type: 'boolean', enum: [true, false] }, c: {} })
    expect(form.fields.map(({ name, widget, options }) => [name, widget, options])).toEqual([
      ['a', 'select', [1, 'x', true]],
      ['b', 'select', [true, false]],
    ])
  })

  it('is null for what is not a form', () => {
    expect(readForm(null, {})).toBeNull()
    expect(readForm({ type: 'object' }, {})).toBeNull()
    expect(readForm([], {})).toBeNull()
  })
})

describe('restoreValues', () => {
  const form = read(
    {
      text: { type: 'string', default: 'hi' },
      size: { type: 'integer', default: 4 },
      look: { type: 'string', enum: ['a', 'b'], default: 'a' },
    },
    { look: { 'ui:widget': 'select' } },
  )

  it('starts with the defaults', () => {
    expect(defaultsOf(form)).toEqual({ text: 'hi', size: 4, look: 'a' })
    expect(restoreValues(form, null)).toEqual({ text: 'hi', size: 4, look: 'a' })
  })

  it('keeps only the values of a draft that still fit', () => {
    expect(restoreValues(form, { text: 'mine', size: 'big', look: 'gone', other: 1 })).toEqual({
      text: 'mine',
      size: 4,
      look: 'a',
    })
  })

  it('keeps an emptied number empty and parses a number in a string', () => {
    expect(restoreValues(form, { text: '', size: null })).toEqual({ text: '', size: null, look: 'a' })
    expect(restoreValues(form, { size: '9007199254740993' }).size).toBe('9007199254740993')
  })
})
