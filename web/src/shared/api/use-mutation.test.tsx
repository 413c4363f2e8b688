import { fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DOUBLE_CLICK_MS } from '@/shared/lib/double-click-guard'
import { renderApp } from '@/shared/testing/render'
import { useMutation } from './use-mutation'

const write = vi.fn<(what: string) => Promise<string>>()
const reported = vi.fn<(how: string) => void>()

afterEach(() => vi.useRealTimers())

beforeEach(() => {
  write.mockReset().mockImplementation(async (what) => what)
  reported.mockReset()
})

function Act() {
  const act = useMutation({ mutationFn: write })
  const callbacks = { onSuccess: reported, onError: () => reported('failed') }
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

test('a double click sends one request, and different variables send two', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  renderApp(<Act />)
  const press = (name: string) => fireEvent.click(screen.getByText(name))
  press('do a')
  press('do a')
  press('do b')
  await waitFor(() => expect(reported).toHaveBeenCalledTimes(2))
  // The request has ended; this is the second half of a slow double click.
  press('do a')
  expect(write.mock.calls.map(([what]) => what)).toEqual(['a', 'b'])
  vi.advanceTimersByTime(DOUBLE_CLICK_MS)
  press('do a')
  await waitFor(() => expect(write).toHaveBeenCalledTimes(3))
})

test('a refused write can be repeated at once', async () => {
  write.mockRejectedValueOnce(new Error('no'))
  renderApp(<Act />)
  fireEvent.click(screen.getByText('do a'))
  await waitFor(() => expect(reported).toHaveBeenCalledWith('failed'))
  fireEvent.click(screen.getByText('do a'))
  await waitFor(() => expect(reported).toHaveBeenCalledWith('a', 'a'))
})

test('a failure is reported after its dialog was closed', async () => {
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
  await waitFor(() => expect(reported).toHaveBeenCalledWith('failed'))
})
