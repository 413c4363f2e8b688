import { expect, test, vi } from 'vitest'
import { acquireStream, shareBackgroundStream } from './tab-stream'

test('a watched stream closes and reopens the background stream', () => {
  const open = vi.fn()
  const close = vi.fn()
  const leave = shareBackgroundStream(open, close)
  expect(open).toHaveBeenCalledTimes(1)
  const first = acquireStream()
  const second = acquireStream()
  expect(close).toHaveBeenCalledTimes(1)
  first()
  first()
  expect(open).toHaveBeenCalledTimes(1)
  second()
  expect(open).toHaveBeenCalledTimes(2)
  leave()
  expect(close).toHaveBeenCalledTimes(2)
  acquireStream()()
  expect(open).toHaveBeenCalledTimes(2)
})
