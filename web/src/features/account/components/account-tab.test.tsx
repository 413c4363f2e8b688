import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { asset, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AccountTab from './account-tab'

const AT = '2026-11-20T08:00:00Z'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const session = (id: string, isCurrent: boolean) => ({
  _id: id,
  userAgent: FIREFOX,
  address: '192.0.2.1',
  createdAt: AT,
  lastSeenAt: AT,
  expiresAt: AT,
  isCurrent,
})
const LIST = 'GET /api/auth/me/session'
const KEPT = {
  'GET /api/auth': { body: user() },
  'GET /api/general/notification-settings': { body: { mailedTypes: [] } },
  'GET /api/general/user-block': { body: { items: [] } },
}
const ONE = { ...KEPT, [LIST]: { body: { items: [session('s-1', true)] } } }

describe('sessions', () => {
  it('can be ended one by one, except for the current one', async () => {
    const requests = stubApi({
      ...KEPT,
      [LIST]: { body: { items: [session('s-1', true), session('s-2', false)] } },
      'DELETE /api/auth/me/session/s-2': { status: 204 },
    })
    renderApp(<AccountTab user={user()} />)
    expect(await screen.findByText('This browser')).toBeTruthy()
    const buttons = screen.getAllByRole('button', { name: 'Sign out Firefox on Linux' })
    expect(buttons).toHaveLength(1)
    await userEvent.click(buttons[0] as HTMLElement)
    await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true))
  })

  it('are all ended except for the current one after a confirmation', async () => {
    const requests = stubApi({
      ...KEPT,
      [LIST]: { body: { items: [session('s-1', true), session('s-2', false)] } },
      'DELETE /api/auth/me/session': { status: 204 },
    })
    renderApp(<AccountTab user={user()} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }))
    const dialog = await screen.findByRole('dialog', { name: 'Sign out everywhere else?' })
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
    await userEvent.click(within(dialog).getByRole('button', { name: 'Sign out everywhere else' }))
    await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true))
  })
})

describe('the password', () => {
  it('is changed with the old one, and a wrong one is marked at its field', async () => {
    const details = [{ field: 'current', message: 'wrong' }]
    const requests = stubApi({
      ...ONE,
      'PATCH /api/auth/me/password': { status: 400, body: { code: 'VALIDATION_FAILED', message: 'x', details } },
    })
    renderApp(<AccountTab user={user()} />)
    await userEvent.type(screen.getByLabelText('Current password'), 'old one')
    await userEvent.type(screen.getByLabelText('New password'), 'battery staple')
    await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
    expect((await screen.findByRole('alert')).textContent).toBe('The current password is wrong')
    const sent = requests.find(({ method }) => method === 'PATCH')
    expect(sent?.body).toEqual({ current: 'old one', password: 'battery staple' })
  })

  it('is set without an old one if there is none', async () => {
    const requests = stubApi({ ...ONE, 'PATCH /api/auth/me/password': { body: user() } })
    renderApp(<AccountTab user={user({ hasPassword: false, signInWith: ['Google'] })} />)
    expect(screen.queryByLabelText('Current password')).toBeNull()
    expect(screen.getByText('You sign in with Google. With a password, you can also sign in by e-mail.')).toBeTruthy()
    await userEvent.type(screen.getByLabelText('New password'), 'battery staple')
    await userEvent.click(screen.getByRole('button', { name: 'Set a password' }))
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ password: 'battery staple' }),
    )
  })
})

describe('the profile picture', () => {
  const choose = (file: File) =>
    userEvent.upload(screen.getByLabelText('Profile picture'), file, { applyAccept: false })

  it('must be an image of 10 MB or less', async () => {
    stubApi(ONE)
    renderApp(<AccountTab user={user()} />)
    const large = new File(['x'], 'large.png', { type: 'image/png' })
    Object.defineProperty(large, 'size', { value: 10_485_761 })
    await choose(large)
    expect((await screen.findByRole('alert')).textContent).toBe('Upload an image of 10MB or less')
    await choose(new File(['x'], 'a.txt', { type: 'text/plain' }))
    expect((await screen.findByRole('alert')).textContent).toBe('This file could not be read as a picture')
  })

  it('can be removed', async () => {
    const requests = stubApi({ ...ONE, 'PATCH /api/auth/me/profile': { body: user() } })
    renderApp(<AccountTab user={user({ profile: asset() })} />)
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ assetId: null }))
  })
})

describe('deleting the account', () => {
  it('needs the password, and says when it is wrong', async () => {
    const details = [{ field: 'current', message: 'wrong' }]
    const requests = stubApi({
      ...ONE,
      'DELETE /api/auth/me': { status: 400, body: { code: 'VALIDATION_FAILED', message: 'x', details } },
    })
    renderApp(<AccountTab user={user()} />)
    await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete the account of Mira?' })
    const confirm = within(dialog).getByRole('button', { name: 'Delete my account' }) as HTMLButtonElement
    expect(confirm.disabled).toBe(true)
    await userEvent.type(within(dialog).getByLabelText('Your password'), 'a guess')
    await userEvent.click(confirm)
    expect((await within(dialog).findByRole('alert')).textContent).toBe('The current password is wrong')
    expect(requests.find(({ method }) => method === 'DELETE')?.body).toEqual({ password: 'a guess' })
  })

  it('needs the name if there is no password, and reloads the page', async () => {
    const assign = vi.fn()
    const requests = stubApi({ ...ONE, 'DELETE /api/auth/me': { status: 204 } })
    renderApp(<AccountTab user={user({ hasPassword: false, signInWith: ['Discord'] })} />)
    vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign })
    await userEvent.click(screen.getByRole('button', { name: 'Delete my account' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete the account of Mira?' })
    await userEvent.type(within(dialog).getByLabelText('Type your name, Mira, to continue'), 'Mira')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete my account' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
    expect(requests.find(({ method }) => method === 'DELETE')?.body).toEqual({ name: 'Mira' })
  })
})

it('unconfirmed users are reminded once and can request the mail again', async () => {
  const unproven = user({ emailVerified: false })
  const requests = stubApi({
    ...ONE,
    'GET /api/auth': { body: unproven },
    'POST /api/auth/verify-email/resend': { status: 202 },
  })
  renderApp(<AccountTab user={unproven} />)
  expect((await screen.findAllByRole('switch')).length).toBeGreaterThan(0)
  expect(screen.getAllByText(`Please confirm ${unproven.email}`, { exact: false })).toHaveLength(1)
  await userEvent.click(screen.getByRole('button', { name: 'Send the e-mail again' }))
  await waitFor(() => expect(requests.some(({ method }) => method === 'POST')).toBe(true))
})
