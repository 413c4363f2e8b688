import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { QUIET_MS, useMutation } from './use-mutation'

const write = vi.fn<(what: string) => Promise<string>>()
const told = vi.fn<(how: string) => void>()

afterEach(() => vi.useRealTimers())

beforeEach(() => {
  write.mockReset().mockImplementation(async (what) => what)
  told.mockReset()
})

function Act() {
  const act = useMutation({ mutationFn: write })
  const callbacks = { onSuccess: told, onError: () => told('failed') }
  return (
    <>
      <button type="button" onClick={() => act.mutate('a', callbacks)}>
        {'do a'}
      </button>
      <button type="button" onClick={() => act.mutate('b', callbacks)}>
        {'do b'}
      </button>
    </>
  )
}

function Layer() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <button type="button" onClick={() => setOpen(false)}>
        {'close'}
      </button>
      {open && <Act />}
    </>
  )
}

test('a double press is one act, and two things are two', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  renderApp(<Act />)
  const press = (name: string) => fireEvent.click(screen.getByText(name))
  press('do a')
  press('do a')
  press('do b')
  await waitFor(() => expect(told).toHaveBeenCalledTimes(2))
  // The first is over, and the second half of a slow double press comes now.
  press('do a')
  expect(write.mock.calls.map(([what]) => what)).toEqual(['a', 'b'])
  vi.advanceTimersByTime(QUIET_MS)
  press('do a')
  await waitFor(() => expect(write).toHaveBeenCalledTimes(3))
})

test('whoever was refused may try again at once', async () => {
  write.mockRejectedValueOnce(new Error('no'))
  renderApp(<Act />)
  fireEvent.click(screen.getByText('do a'))
  await waitFor(() => expect(told).toHaveBeenCalledWith('failed'))
  fireEvent.click(screen.getByText('do a'))
  await waitFor(() => expect(told).toHaveBeenCalledWith('a', 'a'))
})

test('what failed is told even when the layer that it was started from is closed', async () => {
  let fail: (error: Error) => void = () => undefined
  write.mockReturnValueOnce(
    new Promise((_done, refuse) => {
      fail = refuse
    }),
  )
  renderApp(<Layer />)
  fireEvent.click(screen.getByText('do a'))
  fireEvent.click(screen.getByText('close'))
  expect(screen.queryByText('do a')).toBeNull()
  fail(new Error('no'))
  await waitFor(() => expect(told).toHaveBeenCalledWith('failed'))
})
