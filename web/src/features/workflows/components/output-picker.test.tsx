import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { asset, picture } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import OutputPicker from './output-picker'

const listOf = (...items: object[]) => ({ body: { items, nextCursor: null } })
const noop = () => undefined

it('adds pictures one press each, and marks them', async () => {
  const requests = stubApi({
    'GET /api/general/output-asset/my': listOf(picture({ _id: 'o1' }), picture({ _id: 'o2', kind: 'video' })),
    'POST /api/general/output-asset/o1/thumbnail': { status: 201, body: asset({ _id: 'a1' }) },
  })
  const picked = vi.fn()
  renderApp(<OutputPicker room={2} onPick={picked} onClose={noop} />)
  const button = await screen.findByRole('button', { name: /^Add the picture of/ })
  await userEvent.dblClick(button)
  await waitFor(() => expect(button.getAttribute('aria-pressed')).toBe('true'))
  expect(picked.mock.calls.map(([added]) => added._id)).toEqual(['a1'])
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  expect(screen.getByText('1 picture added')).toBeTruthy()
})

it('explains a refusal and a full list', async () => {
  const body = { code: 'MODERATION_LOCKED', message: 'no', requestId: 'r' }
  stubApi({
    'GET /api/general/output-asset/my': listOf(picture({ _id: 'o1' })),
    'POST /api/general/output-asset/o1/thumbnail': { status: 409, body },
  })
  const picked = vi.fn()
  const { unmount } = renderApp(<OutputPicker room={1} onPick={picked} onClose={noop} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Add the picture of/ }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/^The picture could not be added: /)
  unmount()
  renderApp(<OutputPicker room={0} onPick={picked} onClose={noop} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Add the picture of/ }))
  expect((await screen.findByRole('alert')).textContent).toBe('There is no room for more pictures.')
  expect(picked).not.toHaveBeenCalled()
})
