import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useEscape } from '@/shared/ui/layers'
import { Drawer } from './drawer'

beforeEach(() => {
  HTMLDialogElement.prototype.showModal = function open() {
    this.open = true
  }
  HTMLDialogElement.prototype.close = function close() {
    this.open = false
  }
})

const clear = vi.fn()

function Page() {
  const [open, setOpen] = useState(false)
  useEscape(true, clear)
  return (
    <LoginDialogProvider>
      <button type="button" onClick={() => setOpen(true)}>
        {'menu'}
      </button>
      <Drawer open={open} onClose={() => setOpen(false)} />
    </LoginDialogProvider>
  )
}

it('Esc closes the drawer and keeps the selection below it', async () => {
  stubApi({})
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, null)
  renderApp(<Page />, { client })
  await userEvent.click(screen.getByRole('button', { name: 'menu' }))
  const drawer = screen.getByRole<HTMLDialogElement>('dialog', { name: 'Main' })
  expect(drawer.open).toBe(true)
  await act(() => userEvent.keyboard('{Escape}'))
  expect(drawer.open).toBe(false)
  expect(clear).not.toHaveBeenCalled()
})
