import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { Button } from './button'
import { Dialog } from './dialog'

function Opener() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button aria-label="Open" icon="plus" onClick={() => setOpen(true)} />
      {open && (
        <Dialog open onClose={() => setOpen(false)} title="A question">
          <Button aria-label="Inside" icon="check" />
        </Dialog>
      )}
    </>
  )
}

it('a dialog that is taken away at once gives the focus back to what opened it', async () => {
  renderApp(<Opener />)
  const opener = screen.getByRole('button', { name: 'Open' })
  await userEvent.click(opener)
  const inside = await screen.findByRole('button', { name: 'Inside' })
  inside.focus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

it('the second half of a double press does not close the dialog that the first one opened', async () => {
  renderApp(<Opener />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  const close = await screen.findByRole('button', { name: 'Close' })
  const second = createEvent.click(close, { detail: 2 })
  // Browsers count from the load of the page, as the clock of the page does.
  Object.defineProperty(second, 'timeStamp', { value: performance.now() })
  fireEvent(close, second)
  expect(screen.getByRole('dialog')).toBeDefined()
  fireEvent.click(close, { detail: 1 })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
