import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { userQuery } from '../api'
import SignForm from './sign-form'

const LOGIN = 'POST /api/auth/login/email-password'
const SIGNUP = 'POST /api/auth/signup/email-password'

const setup = (mode: 'signIn' | 'signUp') => {
  const onDone = vi.fn()
  const view = renderApp(<SignForm mode={mode} onMode={vi.fn()} onDone={onDone} />)
  return { onDone, ...view }
}

describe('signing in', () => {
  it('says at the field that the password is wrong', async () => {
    stubApi({ [LOGIN]: { status: 401, body: { code: 'AUTH_WRONG_CREDENTIALS', message: 'no' } } })
    const { onDone } = setup('signIn')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'nope')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect((await screen.findByRole('alert')).textContent).toBe('E-mail or password is wrong')
    expect(onDone).not.toHaveBeenCalled()
  })

  it('says how long to wait after too many tries', async () => {
    stubApi({
      [LOGIN]: { status: 429, body: { code: 'RATE_LIMITED', message: 'slow' }, headers: { 'Retry-After': '9' } },
    })
    setup('signIn')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'nope')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText('Too many requests. Try again in 9 s.')).toBeTruthy()
  })

  it('forgets what was loaded for the guest and knows the user', async () => {
    stubApi({ [LOGIN]: { body: user() } })
    const { onDone, client } = setup('signIn')
    client.setQueryData(['gallery', 'mine'], 'of somebody else')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'right one')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(client.getQueryData(userQuery().queryKey)?.name).toBe('Mira')
    expect(client.getQueryData(['gallery', 'mine'])).toBeUndefined()
  })
})

describe('signing up', () => {
  it('sends nothing before terms and privacy are agreed to', async () => {
    const requests = stubApi({})
    setup('signUp')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Name'), 'Mira')
    await userEvent.type(screen.getByLabelText('Password'), 'long enough')
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Please agree to the terms and the privacy policy')
    expect(requests).toHaveLength(0)
  })

  it('sends the form with its language and says that an address is taken', async () => {
    const requests = stubApi({ [SIGNUP]: { status: 409, body: { code: 'AUTH_ALREADY_EMAIL', message: 'taken' } } })
    setup('signUp')
    await userEvent.type(screen.getByLabelText('E-mail'), ' mira@example.com ')
    await userEvent.type(screen.getByLabelText('Name'), 'Mira')
    await userEvent.type(screen.getByLabelText('Password'), 'long enough')
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the privacy policy' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect((await screen.findByRole('alert')).textContent).toBe('This e-mail is already in use')
    expect(requests[0]?.body).toEqual({
      email: 'mira@example.com',
      password: 'long enough',
      name: 'Mira',
      language: 'en',
      termsAccepted: true,
      privacyAccepted: true,
    })
  })
})
