import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { describe, expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { ClosePage } from './close-page'
import { Menu } from './menu'
import { SortableList } from './sortable-list'

const page = (
  <>
    <ClosePage to="/workflows" />
    <input aria-label="Words" />
    <Menu
      label="More"
      className={undefined}
      trigger="…"
      items={[{ key: 'a', title: 'One', onSelect: () => undefined }]}
    />
  </>
)

describe('the close button of a page', () => {
  it('goes back, as Escape does', async () => {
    for (const leave of [
      () => userEvent.click(screen.getByRole('button', { name: 'Close' })),
      () => userEvent.keyboard('{Escape}'),
    ]) {
      const { router, unmount } = renderApp(page, { path: '/gallery?sort=like' })
      await act(() => router.navigate('/workflows/w-1'))
      await leave()
      await waitFor(() =>
        expect(router.state.location.pathname + router.state.location.search).toBe('/gallery?sort=like'),
      )
      unmount()
    }
  })

  it('leads to the list if the history is empty', async () => {
    const { router } = renderApp(page, { path: '/workflows/w-1' })
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflows'))
  })

  it('leaves Escape to text fields and open layers', async () => {
    const { router } = renderApp(page, { path: '/workflows/w-1' })
    await userEvent.type(screen.getByLabelText('Words'), 'x{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'More' }))
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
    expect(router.state.location.pathname).toBe('/workflows/w-1')
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflows'))
  })

  it('leaves Escape to an item that is being sorted', async () => {
    const list = (
      <>
        {page}
        <SortableList
          label="Inputs"
          items={[{ _id: 'a' }, { _id: 'b' }]}
          nameOf={({ _id }) => _id}
          onOrder={() => Promise.resolve()}
          render={({ _id }, handle) => (
            <div>
              {handle}
              {_id}
            </div>
          )}
        />
      </>
    )
    const { router } = renderApp(list, { path: '/workflows/w-1' })
    const handle = screen.getByRole('button', { name: 'Move a' })
    handle.focus()
    await userEvent.keyboard(' ')
    await waitFor(() => expect(handle.getAttribute('aria-pressed')).toBe('true'))
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(handle.getAttribute('aria-pressed')).not.toBe('true'))
    expect(router.state.location.pathname).toBe('/workflows/w-1')
  })
})
