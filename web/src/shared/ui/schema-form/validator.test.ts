import { describe, expect, it } from 'vitest'
import { validator } from './validator'

const schema = {
  type: 'object' as const,
  required: ['1.Text.text'],
  properties: {
    '1.Text.text': { type: 'string' as const },
    size: { type: 'integer' as const, minimum: 1, maximum: 9 },
    scale: { type: 'number' as const, multipleOf: 0.1 },
    look: { type: 'string' as const, enum: ['a', 'b'] },
  },
}
const errorsOf = (values: Record<string, unknown>) =>
  validator.validateFormData(values, schema).errors.map((error) => [error.property, error.name])

describe('the validator', () => {
  it('finds nothing wrong with right values', () => {
    expect(errorsOf({ '1.Text.text': 'x', size: 9, scale: 0.3, look: 'b' })).toEqual([])
  })

  it('names a missing field by its whole name, dots included', () => {
    const { errorSchema } = validator.validateFormData({}, schema)
    expect(Object.keys(errorSchema)).toEqual(['1.Text.text'])
  })

  it('counts undefined as missing', () => {
    expect(errorsOf({ '1.Text.text': undefined })).toEqual([['1.Text.text', 'required']])
  })

  it('tells which rule a value breaks', () => {
    expect(errorsOf({ '1.Text.text': 'x', size: 12 })).toEqual([['size', 'maximum']])
    expect(errorsOf({ '1.Text.text': 'x', size: 1.5 })).toEqual([['size', 'type']])
    expect(errorsOf({ '1.Text.text': 'x', scale: 0.35 })).toEqual([['scale', 'multipleOf']])
    expect(errorsOf({ '1.Text.text': 'x', look: 'c' })).toEqual([['look', 'enum']])
  })

  it('needs no code made from strings, which the content policy forbids', () => {
    const original = globalThis.Function
    globalThis.Function = (() => {
      throw new EvalError('refused by the policy')
    }) as unknown as FunctionConstructor
    try {
      expect(errorsOf({ size: 0 })).toHaveLength(2)
    } finally {
      globalThis.Function = original
    }
  })
})
