import { expect, it } from 'vitest'
import { nextTime } from './next-time'

const EVENING = new Date(2026, 10, 28, 22, 30)

it.each([
  ['23:00', new Date(2026, 10, 28, 23, 0)],
  ['22:30', new Date(2026, 10, 29, 22, 30)],
  ['07:05', new Date(2026, 10, 29, 7, 5)],
])('%s in the evening is the next such time', (time, at) => {
  expect(nextTime(time, EVENING)).toBe(at.toISOString())
})

it('the last evening of a year is followed by the first morning of the next', () => {
  expect(nextTime('07:00', new Date(2026, 11, 31, 8))).toBe(new Date(2027, 0, 1, 7).toISOString())
})
