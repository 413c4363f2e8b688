import { expect, it } from 'vitest'
import { stepsOfKey, valueAfterSteps } from './slider'

const press = (key: string, shiftKey = false) => ({ key, shiftKey })
const after = (at: number, key: string, range: { min: number; max: number; step: number }, shiftKey = false) =>
  valueAfterSteps(at, stepsOfKey(press(key, shiftKey), range), range)

it('an arrow key steps a hundredth of the range, with Shift one step', () => {
  const fine = { min: 0, max: 100, step: 0.01 }
  expect(after(50, 'ArrowRight', fine)).toBe(51)
  expect(after(50, 'ArrowLeft', fine)).toBe(49)
  expect(after(50, 'ArrowUp', fine, true)).toBe(50.01)
  expect(after(50, 'PageDown', fine)).toBe(40)
  expect(after(0.3, 'ArrowRight', { min: 0, max: 1, step: 0.1 })).toBe(0.4)
  expect(after(20, 'ArrowRight', { min: 1, max: 30, step: 1 })).toBe(21)
  expect(stepsOfKey(press('Tab'), fine)).toBe(0)
})

it('steps count from the minimum and stay within the range', () => {
  const odd = { min: 100, max: 2000, step: 64 }
  expect(after(100, 'ArrowRight', odd)).toBe(164)
  expect(after(777, 'ArrowRight', odd)).toBe(804)
  expect(after(777, 'ArrowLeft', odd)).toBe(740)
  expect(after(1990, 'ArrowRight', odd)).toBe(2000)
  expect(after(101, 'ArrowLeft', odd)).toBe(100)
  expect(after(0, 'ArrowRight', { min: 0, max: 1e-6, step: 1e-7 })).toBe(1e-7)
})
