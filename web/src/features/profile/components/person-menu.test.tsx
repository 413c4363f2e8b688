import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect } from 'react'
import { expect, it, vi } from 'vitest'
import type { Profile } from '@/shared/api/types'
import { asset, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useModal } from '@/shared/ui/modals'
import { PersonMenu } from './person-menu'

const bo = { _id: 'user-2', name: 'Bo', nameTag: '#1', profile: null } as Profile
const BLOCKS = 'GET /api/general/user-block'

it('a person is blocked from their profile, and unblocked', async () => {
  let blocked = false
  const requests = stubApi({
    'GET /api/auth': { body: user() },
    [BLOCKS]: () => ({ body: { items: blocked ? [{ user: bo, createdAt: '2026-11-20T08:00:00Z' }] : [] } }),
    'POST /api/general/user-block': () => {
      blocked = true
      return { status: 204 }
    },
    'DELETE /api/general/user-block/user-2': { status: 204 },
  })
  renderApp(<PersonMenu profile={bo} />)
  await userEvent.click(await screen.findByRole('button', { name: 'More about Bo' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Block' }))
  const dialog = await screen.findByRole('dialog', { name: 'Block Bo?' })
  expect(requests.some(({ method }) => method === 'POST')).toBe(false)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Block' }))
  expect(await screen.findByText('Blocked')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'More about Bo' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Unblock' }))
  await expect.poll(() => screen.queryByText('Blocked')).toBeNull()
})

it('a portrait can be reported only if there is one', async () => {
  stubApi({ 'GET /api/auth': { body: user() }, [BLOCKS]: { body: { items: [] } } })
  const onReport = vi.fn()
  const Watch = () => {
    const report = useModal('report')
    useEffect(() => void (report && onReport(report)), [report])
    return null
  }
  const { unmount } = renderApp(<PersonMenu profile={bo} />)
  await userEvent.click(await screen.findByRole('button', { name: 'More about Bo' }))
  expect(screen.queryByRole('menuitem', { name: 'Report the profile picture' })).toBeNull()
  unmount()
  renderApp(
    <>
      <PersonMenu profile={{ ...bo, profile: asset({ _id: 'face' }) }} />
      <Watch />
    </>,
  )
  await userEvent.click(await screen.findByRole('button', { name: 'More about Bo' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Report the profile picture' }))
  await waitFor(() => expect(onReport).toHaveBeenCalledWith({ kind: 'Asset', id: 'face' }))
})
