import { describe, expect, it } from 'vitest'
import { compareNumbers, isBigInteger, quoteBigIntegers } from './big-integers'

describe('integers beyond the safe range', () => {
  it('are read as strings of digits, everything else unchanged', () => {
    const json =
      '{"seed": 18446744073709551615, "low": [-9223372036854775808], "safe": 9007199254740991, "part": 0.1234567890123456,' +
      '"exp": 1.2345678901234567e30, "text": "18446744073709551615 \\" 99999999999999999999"}'
    expect(JSON.parse(quoteBigIntegers(json))).toEqual({
      seed: '18446744073709551615',
      low: ['-9223372036854775808'],
      safe: 9007199254740991,
      part: 0.1234567890123456,
      exp: 1.2345678901234567e30,
      text: '18446744073709551615 " 99999999999999999999',
    })
  })

  it('are recognised and compared to the last digit', () => {
    expect(isBigInteger('18446744073709551615')).toBe(true)
    for (const other of ['7', 'abc', '1e30', 7, null, '']) expect(isBigInteger(other)).toBe(false)
    expect(compareNumbers('18446744073709551616', '18446744073709551615')).toBeGreaterThan(0)
    expect(compareNumbers(7, '18446744073709551615')).toBeLessThan(0)
    expect(compareNumbers(0.5, '18446744073709551615')).toBeLessThan(0)
  })
})
