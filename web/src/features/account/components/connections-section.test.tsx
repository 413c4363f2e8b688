import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { ConnectionsSection } from './connections-section'

const OFFERED = { 'GET /api/public/sign-in-options': { body: { google: true, discord: true } } }

describe('connected accounts', () => {
  it('redirect to the provider and remember that it is for linking', async () => {
    const assign = vi.fn()
    vi.stubGlobal('location', { ...window.location, assign })
    stubApi({
      ...OFFERED,
      'POST /api/auth/me/identity/discord/start': { body: { url: 'https://discord.example/authorize' } },
    })
    renderApp(<ConnectionsSection user={user({ signInWith: ['Google'] })} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Connect Discord' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://discord.example/authorize'))
    expect(sessionStorage.getItem('vg.linking')).toBe('discord')
  })

  it('are disconnected after a confirmation', async () => {
    const requests = stubApi({ ...OFFERED, 'DELETE /api/auth/me/identity/google': { body: user() } })
    renderApp(<ConnectionsSection user={user({ signInWith: ['Google'] })} />)
    await userEvent.click(await screen.findByRole('button', { name: 'Disconnect Google' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect Google?' }))
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByText('Google was disconnected')).toBeTruthy()
  })

  it('keep the last way to sign in', async () => {
    stubApi(OFFERED)
    renderApp(<ConnectionsSection user={user({ hasPassword: false, signInWith: ['Google'] })} />)
    expect(await screen.findByText('This is your only way to sign in. Set a password first.')).toBeTruthy()
    const button = screen.getByRole('button', { name: 'Disconnect Google' }) as HTMLButtonElement
    expect(button.disabled).toBe(true)
  })

  it('allow removing one of two', async () => {
    stubApi(OFFERED)
    renderApp(<ConnectionsSection user={user({ hasPassword: false, signInWith: ['Google', 'Discord'] })} />)
    await waitFor(() => {
      const button = screen.getByRole('button', { name: 'Disconnect Google' }) as HTMLButtonElement
      expect(button.disabled).toBe(false)
    })
  })

  it('are hidden if no provider is offered', async () => {
    const requests = stubApi({ 'GET /api/public/sign-in-options': { body: { google: false, discord: false } } })
    renderApp(<ConnectionsSection user={user()} />)
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(screen.queryByText('Connected accounts')).toBeNull()
  })
})
