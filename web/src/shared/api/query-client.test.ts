import { expect, it } from 'vitest'
import { ApiError } from './errors'
import { isFreshRefusal } from './query-client'

const refused = (status: number) => new ApiError(status, { code: 'NOT_FOUND', message: 'no' })

it('a fresh refusal is not requested again, a failure is', () => {
  expect(isFreshRefusal(refused(404), 1000, 2000)).toBe(true)
  expect(isFreshRefusal(refused(404), 1000, 7000)).toBe(false)
  expect(isFreshRefusal(refused(503), 1000, 2000)).toBe(false)
  expect(isFreshRefusal(new ApiError(0), 1000, 2000)).toBe(false)
  expect(isFreshRefusal(new Error('broken'), 1000, 2000)).toBe(false)
})
