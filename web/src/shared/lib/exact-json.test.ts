import { describe, expect, it } from 'vitest'
import { parseExact, rawFields } from './exact-json'

describe('exact JSON', () => {
  it('keeps every digit, as a string where a number would lose one', () => {
    const text =
      '{"seed": 18446744073709551615, "big": 9007199254740993, "small": 0.000003, "n": 1.15, "one": 1.0, "id": 7, "text": "9007199254740993 NaN"}'
    expect(parseExact(text)).toEqual({
      seed: '18446744073709551615',
      big: '9007199254740993',
      small: 0.000003,
      n: 1.15,
      one: '1.0',
      id: 7,
      text: '9007199254740993 NaN',
    })
  })

  it("parses Python's numbers and a byte-order mark", () => {
    expect(parseExact('\uFEFF{"a": [NaN, -Infinity, Infinity, "NaN \\" Infinity"]}')).toEqual({
      a: [null, null, null, 'NaN " Infinity'],
    })
    for (const text of ['', 'x', '{', '{"a": NaN,}']) expect(() => parseExact(text)).toThrow()
  })

  it('returns the fields of an object as written', () => {
    const text = '{ "b\\u0061": {"x": [1.0, "}"], "y": 1e2} , "a": -0.0,"c":"a, \\"b\\": {" , "e": {}, "a": [ ] }'
    expect([...rawFields(text)]).toEqual([
      ['ba', '{"x": [1.0, "}"], "y": 1e2}'],
      ['a', '[ ]'],
      ['c', '"a, \\"b\\": {"'],
      ['e', '{}'],
    ])
    expect(rawFields('{}').size).toBe(0)
  })
})
