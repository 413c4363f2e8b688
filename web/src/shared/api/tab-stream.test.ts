import { expect, test, vi } from 'vitest'
import { shareStream, takeStream } from './tab-stream'

test('a tab has one stream: what keeps a number fresh gives way to what is watched', () => {
  const open = vi.fn()
  const close = vi.fn()
  const leave = shareStream(open, close)
  expect(open).toHaveBeenCalledTimes(1)
  const first = takeStream()
  const second = takeStream()
  expect(close).toHaveBeenCalledTimes(1)
  first()
  first()
  expect(open).toHaveBeenCalledTimes(1)
  second()
  expect(open).toHaveBeenCalledTimes(2)
  leave()
  expect(close).toHaveBeenCalledTimes(2)
  takeStream()()
  expect(open).toHaveBeenCalledTimes(2)
})
