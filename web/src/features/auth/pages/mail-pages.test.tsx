import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import ForgotPage from './forgot-page'
import ResetPage from './reset-page'
import VerifyPage from './verify-page'

const ME = { 'GET /api/auth': { body: user() } }
const VERIFY = 'POST /api/auth/verify-email'
const FORGOT = 'POST /api/auth/password/forgot'
const RESET = 'POST /api/auth/password/reset'
const USED = { status: 422, body: { code: 'AUTH_LINK_INVALID', message: 'used' } }

afterEach(() => window.history.replaceState(null, '', '/'))
const follow = (hash: string) => window.history.replaceState(null, '', `/x${hash}`)

describe('the link that confirms an address', () => {
  it('confirms once and removes the code from the address', async () => {
    follow('#code=abc')
    const requests = stubApi({ ...ME, [VERIFY]: { status: 204 } })
    renderApp(<VerifyPage />)
    expect(await screen.findByText('Thank you, your e-mail address is confirmed.')).toBeTruthy()
    expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ code: 'abc' }])
    expect(window.location.hash).toBe('')
  })

  it('offers a new mail if it is invalid', async () => {
    follow('#code=abc')
    stubApi({ 'GET /api/auth': { body: user({ emailVerified: false }) }, [VERIFY]: USED })
    renderApp(<VerifyPage />)
    expect((await screen.findByRole('alert')).textContent).toContain('already been used or has expired')
    expect(await screen.findByRole('link', { name: 'Go to my account' })).toBeTruthy()
  })

  it('accepts a second click of a confirmed user', async () => {
    follow('#code=abc')
    stubApi({ ...ME, [VERIFY]: USED })
    renderApp(<VerifyPage />)
    expect(await screen.findByText('Thank you, your e-mail address is confirmed.')).toBeTruthy()
  })
})

describe('a forgotten password', () => {
  it('gets the same answer for unknown addresses', async () => {
    const requests = stubApi({ [FORGOT]: { status: 202 } })
    renderApp(<ForgotPage />)
    await userEvent.click(screen.getByRole('button', { name: 'Send the link' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Enter your e-mail address')
    await userEvent.type(screen.getByLabelText('E-mail'), ' mira@example.com ')
    await userEvent.click(screen.getByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText(/If an account has the address mira@example.com/)).toBeTruthy()
    expect(requests[0]?.body).toEqual({ email: 'mira@example.com' })
  })
})

describe('the link to reset a password', () => {
  it('requires a valid length, sets the password and signs in', async () => {
    follow('#code=abc')
    const requests = stubApi({ [RESET]: { body: user() } })
    const { router } = renderApp(<ResetPage />, { path: '/reset-password' })
    await userEvent.type(screen.getByLabelText('New password'), 'short')
    await userEvent.click(screen.getByRole('button', { name: 'Save and sign in' }))
    expect((await screen.findByRole('alert')).textContent).toBe('The password needs 8 to 128 characters')
    expect(requests).toHaveLength(0)
    await userEvent.type(screen.getByLabelText('New password'), ' but longer')
    await userEvent.click(screen.getByRole('button', { name: 'Save and sign in' }))
    await waitFor(() => expect(requests[0]?.body).toEqual({ code: 'abc', password: 'short but longer' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })

  it('offers another link if it is invalid or has no code', async () => {
    stubApi({})
    renderApp(<ResetPage />)
    expect(await screen.findByRole('link', { name: 'Request a new link' })).toBeTruthy()
  })
})
