import { describe, expect, it } from 'vitest'
import { brokenRule, valuesToSend } from './check-values'
import { readForm } from './read-form'

const properties = {
  '1.Text.text': { type: 'string' },
  size: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
  scale: { type: 'number', default: 1 },
  gain: { type: 'number', default: 2 },
  seed: { type: 'integer', minimum: 0, maximum: '18446744073709551615', default: -1 },
  look: { type: 'string', enum: ['a', 'b'], default: 'a' },
  mixed: { enum: [1, '1', true, 0.5], default: 1 },
  style: { type: 'string', enum: ['', 'ink'], default: 'ink' },
}
const form = readForm(
  { type: 'object', properties, required: ['1.Text.text'] },
  { gain: { 'ui:options': { optional: true } }, seed: { 'ui:widget': 'seed' } },
)
const good = { '1.Text.text': 'x', size: 9, scale: 0.35, gain: null, seed: -1, look: 'b', mixed: true, style: '' }
const brokenBy = (values: Record<string, unknown>) =>
  (form?.fields ?? []).flatMap((field) => {
    const rule = brokenRule(field, { ...good, ...values }[field.name])
    return rule ? [[field.name, rule]] : []
  })

describe('the check of a form', () => {
  it('accepts valid values', () => {
    expect(brokenBy({})).toEqual([])
    expect(brokenBy({ seed: '18446744073709551615' })).toEqual([])
    for (const mixed of [1, '1', true, 0.5]) expect(brokenBy({ mixed })).toEqual([])
  })

  it('takes the empty text of a list as a choice', () => {
    expect(valuesToSend(form?.fields ?? [], good)).toEqual(good)
    expect(brokenBy({ look: '' })).toEqual([['look', 'required']])
  })

  it('names the violated rule', () => {
    for (const [name, value, rule] of [
      ['1.Text.text', undefined, 'required'],
      ['1.Text.text', '', 'required'],
      ['size', 12, 'maximum'],
      ['size', 0, 'minimum'],
      ['size', 1.5, 'integer'],
      ['size', null, 'integer'],
      ['scale', null, 'number'],
      ['scale', '5%', 'percent'],
      ['scale', '1,234', 'comma'],
      ['seed', '18446744073709551616', 'maximum'],
      ['seed', -2, 'minimum'],
      ['look', 'c', 'enum'],
      ['look', null, 'required'],
      ['mixed', 'true', 'enum'],
    ] as const) {
      expect(brokenBy({ [name]: value }), `${name}: ${value}`).toEqual([[name, rule]])
    }
  })
})
