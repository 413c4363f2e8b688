import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { useEscape } from './layers'

function Layer({ onClose }: { onClose: () => void }) {
  useEscape(true, onClose)
  return null
}

it('Escape closes the topmost layer only', async () => {
  const [selection, drawer] = [vi.fn(), vi.fn()]
  const { rerender } = render(<Layer key="selection" onClose={selection} />)
  rerender(
    <>
      <Layer key="selection" onClose={selection} />
      <Layer key="drawer" onClose={drawer} />
    </>,
  )
  await userEvent.keyboard('{Escape}')
  expect(drawer).toHaveBeenCalledOnce()
  expect(selection, 'the selection is lost with the drawer').not.toHaveBeenCalled()
  rerender(<Layer key="selection" onClose={selection} />)
  await userEvent.keyboard('{Escape}')
  expect(selection).toHaveBeenCalledOnce()
})
