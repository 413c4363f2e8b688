import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { describe, expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { rememberAgreement, rememberLinking, rememberReturnPath } from '../model'
import SocialPage from './social-page'

const FINISH = 'POST /api/auth/signup/google'

const Elsewhere = () => <p>{'elsewhere'}</p>

/** Renders the page at an address, in routes that know its parameter. */
function arrive(path: string) {
  const pages = (
    <Routes>
      <Route path="/login/:provider" element={<SocialPage />} />
      <Route path="*" element={<Elsewhere />} />
    </Routes>
  )
  return renderApp(pages, { path }).router
}

describe('returning from Google', () => {
  it('sends code and state once, and opens the remembered path', async () => {
    rememberReturnPath('/easy-app/1')
    rememberAgreement(true)
    const requests = stubApi({ [FINISH]: { body: user() } })
    const router = arrive('/login/google?code=c&state=s')
    expect(await screen.findByText('elsewhere')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/easy-app/1')
    expect(requests).toHaveLength(1)
    expect(requests[0]?.body).toEqual({
      code: 'c',
      state: 's',
      language: 'en',
      termsAccepted: true,
      privacyAccepted: true,
    })
  })

  it('asks new users for the terms, and does not send the code again', async () => {
    const requests = stubApi({
      [FINISH]: async (request) => {
        const body = (await request.json()) as { termsAccepted: boolean }
        return body.termsAccepted
          ? { status: 201, body: user() }
          : { status: 400, body: { code: 'AUTH_TERMS_REQUIRED', message: 'terms' } }
      },
    })
    arrive('/login/google?code=c&state=s')
    expect(await screen.findByRole('heading', { name: 'One more step' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Please agree to the terms and the privacy policy')
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the privacy policy' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    await waitFor(() => expect(requests).toHaveLength(2))
    expect(requests[1]?.body).toEqual({ state: 's', language: 'en', termsAccepted: true, privacyAccepted: true })
    expect(await screen.findByText('elsewhere')).toBeTruthy()
  })

  it('says that the address belongs to another sign-in method', async () => {
    stubApi({ [FINISH]: { status: 409, body: { code: 'AUTH_LINKED_DISCORD', message: 'x' } } })
    arrive('/login/google?code=c&state=s')
    expect((await screen.findByRole('alert')).textContent).toContain('sign in with Discord')
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toBeTruthy()
  })

  it('sends nothing if the user declined', async () => {
    const requests = stubApi({})
    arrive('/login/google?error=access_denied&state=s')
    expect((await screen.findByRole('alert')).textContent).toContain('did not allow Google')
    expect(requests).toHaveLength(0)
  })

  it('rejects unknown providers', async () => {
    stubApi({})
    arrive('/login/facebook?code=c&state=s')
    expect(await screen.findByRole('heading', { name: 'Sign-in failed' })).toBeTruthy()
  })
})

describe('returning from linking a provider', () => {
  const LINK = 'POST /api/auth/me/identity/google'

  it('links it and opens the account page without signing in', async () => {
    rememberLinking('google')
    const requests = stubApi({ [LINK]: { body: user({ signInWith: ['Google'] }) } })
    const router = arrive('/login/google?code=c&state=s')
    expect(await screen.findByText('Google is connected. You can now sign in with it.')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/account')
    expect(requests).toHaveLength(1)
    expect(requests[0]?.body).toEqual({ code: 'c', state: 's' })
    expect(sessionStorage.getItem('vg.linking')).toBeNull()
  })

  it('shows the error, with a link back', async () => {
    rememberLinking('google')
    stubApi({ [LINK]: { status: 409, body: { code: 'AUTH_IDENTITY_TAKEN', message: 'taken' } } })
    arrive('/login/google?code=c&state=s')
    expect((await screen.findByRole('alert')).textContent).toContain('is connected to another account here')
    expect(screen.getByRole('link', { name: 'Back to my account' }).getAttribute('href')).toBe('/account')
  })

  it('sends nothing if the user declined', async () => {
    rememberLinking('google')
    const requests = stubApi({})
    arrive('/login/google?error=access_denied')
    expect((await screen.findByRole('alert')).textContent).toContain('You did not allow Google')
    expect(requests).toHaveLength(0)
    expect(sessionStorage.getItem('vg.linking')).toBeNull()
  })

  it('signs in if another provider was to be linked', async () => {
    rememberLinking('discord')
    rememberAgreement(true)
    const requests = stubApi({ [FINISH]: { body: user() } })
    arrive('/login/google?code=c&state=s')
    expect(await screen.findByText('elsewhere')).toBeTruthy()
    expect(requests[0]?.path).toBe('/api/auth/signup/google')
  })
})
