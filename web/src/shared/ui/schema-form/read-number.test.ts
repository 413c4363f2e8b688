import { expect, it } from 'vitest'
import { readNumber } from './read-number'

const TAKEN: [typed: string, float: number | string, whole?: number | string][] = [
  ['7', 7, 7],
  [' 007 ', 7, 7],
  ['-3', -3, -3],
  ['+3', 3, 3],
  ['\u22123', -3, -3],
  ['\u20133', -3, -3],
  ['-0', 0, 0],
  ['0.5', 0.5],
  ['.5', 0.5],
  ['5.', 5, 5],
  ['5.0', 5, 5],
  ['0,5', 0.5],
  ['-0,5', -0.5],
  ['12,5', 12.5],
  ['0,500', 0.5],
  ['1234,5', 1234.5],
  ['1,234.5', 1234.5],
  ['1.234,5', 1234.5],
  ['1,234,567', 1_234_567, 1_234_567],
  ['1.234.567', 1_234_567, 1_234_567],
  ['12,34,567', 1_234_567, 1_234_567],
  ['1 234', 1234, 1234],
  ['1\u00a0234,5', 1234.5],
  ['1\u202f234\u202f567', 1_234_567, 1_234_567],
  ["1'234.5", 1234.5],
  ['1e3', 1000, 1000],
  ['1.5E3', 1500, 1500],
  ['25e-1', 2.5],
  ['10e-1', 1, 1],
  ['\uff15\uff10', 50, 50],
  ['\uff10\uff0e\uff15', 0.5],
  ['\u0661\u0662', 12, 12],
  ['\u06f1\u066b\u06f5', 1.5],
  ['\u0967\u0968', 12, 12],
  ['\u{1d7d0}\u{1d7d8}', 20, 20],
  ['\u200f12\u200e', 12, 12],
]
const REFUSED: [typed: string, problem: string, whole?: string][] = [
  ['', 'number'],
  ['-', 'number'],
  ['.', 'number'],
  ['abc', 'number'],
  ['1x2.5', 'number'],
  ['5 px', 'number'],
  ['1 2', 'number'],
  ['12 34', 'number'],
  ['5%', 'percent'],
  ['\uff15\uff05', 'percent'],
  ['1,234', 'comma'],
  ['1,2,3', 'number'],
  ['1.2.3', 'number'],
  ['1,23.4', 'number'],
  ['1e', 'number'],
  ['1e5e5', 'number'],
  ['0x10', 'number'],
  ['Infinity', 'number'],
  ['NaN', 'number'],
  ['10\u00b3', 'number'],
  ['\u00bd', 'number'],
  ['\u2460', 'number'],
  ['1/2', 'number'],
  ['--5', 'number'],
  ['5-', 'number'],
]

it('accepts numbers of all scripts and rejects ambiguous ones', () => {
  for (const [typed, float, whole] of TAKEN) {
    expect(readNumber(typed, false), typed).toEqual({ value: float })
    expect(readNumber(typed, true), `whole: ${typed}`).toEqual(
      whole === undefined ? { problem: 'integer' } : { value: whole },
    )
  }
  for (const [typed, problem] of REFUSED) {
    expect(readNumber(typed, false), typed).toEqual({ problem })
    expect(readNumber(typed, true), `whole: ${typed}`).toEqual({ problem })
  }
})

it('keeps every digit of an integer and rejects overflow and underflow', () => {
  expect(readNumber('18446744073709551615', true)).toEqual({ value: '18446744073709551615' })
  expect(readNumber('9007199254740991', true)).toEqual({ value: 9007199254740991 })
  expect(readNumber('9007199254740993', true)).toEqual({ value: '9007199254740993' })
  expect(readNumber('-9,223,372,036,854,775,808', true)).toEqual({ value: '-9223372036854775808' })
  expect(readNumber('1e20', true)).toEqual({ value: '100000000000000000000' })
  expect(readNumber('1e999', false)).toEqual({ problem: 'number' })
  expect(readNumber('1e-999', false)).toEqual({ problem: 'number' })
  expect(readNumber('9'.repeat(401), true)).toEqual({ problem: 'number' })
})

it('rejects only numbers whose digits cannot be kept', () => {
  const kept = [
    '1.1500000000000001',
    '0.000003',
    '-0.10',
    '5e-324',
    '2.2250738585072014e-308',
    '9007199254740992',
    '1e21',
  ]
  for (const typed of kept) expect(readNumber(typed, false), typed).toEqual({ value: Number(typed) })
  for (const typed of ['9007199254740993', '0.10000000000000000001', '123456789.123456789123', '18446744073709551615'])
    expect(readNumber(typed, false), typed).toEqual({ problem: 'digits' })
})
