import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { useEscape, useScrollbarRoom } from './layers'

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

function Room() {
  useScrollbarRoom()
  return null
}

it('a layer gives the page the room of its hidden scrollbar, and takes it back', () => {
  const clientWidth = vi.spyOn(document.documentElement, 'clientWidth', 'get').mockReturnValue(window.innerWidth - 15)
  const { rerender, unmount } = render(<Room key="dialog" />)
  expect(document.body.style.paddingInlineEnd).toBe('15px')
  clientWidth.mockReturnValue(window.innerWidth)
  rerender(
    <>
      <Room key="dialog" />
      <Room key="confirmation" />
    </>,
  )
  expect(document.body.style.paddingInlineEnd, 'the second layer finds no scrollbar').toBe('15px')
  unmount()
  expect(document.body.style.paddingInlineEnd).toBe('')
  clientWidth.mockRestore()
})
