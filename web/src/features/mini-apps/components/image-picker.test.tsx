import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { asset } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import ImagePicker from './image-picker'

it("one's own file is removed after a confirmation with its name", async () => {
  const boat = { _id: 'i1', asset: asset({ name: 'boat.png' }), isPrivate: true, createdAt: '2026-11-20T08:00:00Z' }
  let items = [boat]
  const requests = stubApi({
    'GET /api/general/input-asset/my': () => ({
      body: { items, pagination: { page: 1, limit: 20, total: items.length, totalPages: 1 } },
    }),
    'DELETE /api/general/input-asset/i1': () => {
      items = []
      return { status: 204 }
    },
  })
  const picked = vi.fn()
  renderApp(<ImagePicker kind="image" title="My Images" onClose={() => undefined} onPick={picked} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete boat.png' }))
  const asked = (await screen.findByText('Delete boat.png?')).closest<HTMLElement>('[role=dialog]')
  if (!asked) throw new Error('no dialog was opened')
  expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(asked).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Use boat.png' })).toBeNull())
  expect(picked, 'the file was taken into the form').not.toHaveBeenCalled()
})

it('requests one kind of files, and names it when there are none', async () => {
  const requests = stubApi({
    'GET /api/general/input-asset/my': () => ({
      body: { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 1 } },
    }),
  })
  renderApp(<ImagePicker kind="video" title="My videos" onClose={() => undefined} onPick={() => undefined} />)
  expect(await screen.findByText(/You have no videos yet/)).toBeTruthy()
  expect(requests[0]?.search).toContain('kind=Video')
})
