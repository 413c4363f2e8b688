import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { guardDoubleClicks } from '@/shared/lib/double-click-guard'
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

it('an unmounted dialog gives the focus back to its opener', async () => {
  renderApp(<Opener />)
  const opener = screen.getByRole('button', { name: 'Open' })
  await userEvent.click(opener)
  const inside = await screen.findByRole('button', { name: 'Inside' })
  inside.focus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

it('a double click opens the dialog and does not close it', async () => {
  const stop = guardDoubleClicks()
  renderApp(<Opener />)
  const place = { detail: 1, clientX: 40, clientY: 40 }
  fireEvent.click(screen.getByRole('button', { name: 'Open' }), place)
  const close = screen.getByRole('button', { name: 'Close' })
  fireEvent.click(close, { ...place, detail: 2 })
  expect(screen.getByRole('dialog')).toBeDefined()
  stop()
  fireEvent.click(close, place)
  expect(screen.queryByRole('dialog')).toBeNull()
})
