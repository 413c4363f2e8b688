import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DOUBLE_CLICK_MS } from '@/shared/lib/double-click-guard'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { toast } from '@/shared/ui/toast'
import { userQuery } from '../api'
import { takeAgreement } from '../model'
import SignForm from './sign-form'

const LOGIN = 'POST /api/auth/login/email-password'
const SIGNUP = 'POST /api/auth/signup/email-password'
const OPTIONS = 'GET /api/public/sign-in-options'
const NONE = { [OPTIONS]: { body: { google: false, discord: false } } }
const posted = (requests: { method: string }[]) => requests.filter(({ method }) => method === 'POST')

const setup = (mode: 'signIn' | 'signUp') => {
  const onDone = vi.fn()
  const view = renderApp(<SignForm mode={mode} onMode={vi.fn()} onDone={onDone} />)
  return { onDone, ...view }
}

describe('signing in', () => {
  it('marks a wrong password at its field', async () => {
    stubApi({ ...NONE, [LOGIN]: { status: 401, body: { code: 'AUTH_WRONG_CREDENTIALS', message: 'no' } } })
    const { onDone } = setup('signIn')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'nope')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect((await screen.findByRole('alert')).textContent).toBe('E-mail or password is wrong')
    expect(onDone).not.toHaveBeenCalled()
  })

  it('starts in its first field, also where the dialog has focused a button of its own', async () => {
    stubApi(NONE)
    renderApp(
      <>
        <button type="button" aria-label="Close" />
        <SignForm mode="signIn" onMode={vi.fn()} onDone={vi.fn()} takesFocus />
      </>,
    )
    screen.getByRole('button', { name: 'Close' }).focus()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('E-mail')))
  })

  it('says how long to wait after too many attempts', async () => {
    stubApi({
      ...NONE,
      [LOGIN]: { status: 429, body: { code: 'RATE_LIMITED', message: 'slow' }, headers: { 'Retry-After': '9' } },
    })
    setup('signIn')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'nope')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(await screen.findByText('Too many requests. Try again in 9 s.')).toBeTruthy()
  })

  it('closes the error notice of a refused sign-up', async () => {
    const dropped = vi.spyOn(toast, 'drop')
    dropped.mockClear()
    stubApi({ ...NONE, [LOGIN]: { body: user() } })
    const { onDone } = setup('signIn')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'right one')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(dropped).toHaveBeenCalledWith('sign-up')
  })

  it('drops cached data of the guest and sets the user', async () => {
    stubApi({ ...NONE, [LOGIN]: { body: user() } })
    const { onDone, client } = setup('signIn')
    client.setQueryData(['gallery', 'mine'], 'of another user')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Password'), 'right one')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(client.getQueryData(userQuery().queryKey)?.name).toBe('Mira')
    expect(client.getQueryData(['gallery', 'mine'])).toBeUndefined()
  })
})

describe('the code of a sign-up', () => {
  const CODE = 'POST /api/auth/signup/email-password/code'
  const pending = { signUp: 's1', email: 'mira@example.com', expiresAt: '2999-01-01T00:00:00Z' }
  beforeEach(() => sessionStorage.clear())

  const fill = async () => {
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Name'), 'Mira')
    await userEvent.type(screen.getByLabelText('Password'), 'correct horse')
    await userEvent.click(screen.getByLabelText('I agree to the terms of use'))
    await userEvent.click(screen.getByLabelText('I agree to the privacy policy'))
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
  }

  it('is requested if the installation sends mail, and signs in', async () => {
    const requests = stubApi({
      ...NONE,
      [SIGNUP]: { status: 202, body: pending },
      [CODE]: { status: 201, body: user() },
    })
    const { onDone, client } = setup('signUp')
    await fill()
    expect(await screen.findByText(/We have sent an e-mail to mira@example.com/)).toBeTruthy()
    await userEvent.type(screen.getByLabelText('Code'), '20 49')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    expect(screen.getByRole('alert').textContent).toBe('This is not the code from the e-mail')
    expect(onDone).not.toHaveBeenCalled()
    await userEvent.type(screen.getByLabelText('Code'), '13')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(requests.filter(({ method }) => method === 'POST').at(-1)?.body).toEqual({ signUp: 's1', code: '20 4913' })
    expect(client.getQueryData(userQuery().queryKey)?.name).toBe('Mira')
    expect(sessionStorage.getItem('vg.signUp')).toBeNull()
  })

  it('is not said to be on its way again when the server refuses', async () => {
    const refused = { status: 429, body: { code: 'RATE_LIMITED', message: 'slow' } }
    let sent = 0
    stubApi({ ...NONE, [SIGNUP]: () => (sent++ === 0 ? { status: 202, body: pending } : refused) })
    const failed = vi.spyOn(toast, 'error')
    failed.mockClear()
    setup('signUp')
    await fill()
    const again = await screen.findByRole('button', { name: 'Send another code' })
    // A press within a double click would send nothing.
    await new Promise((resolve) => setTimeout(resolve, 2 * DOUBLE_CLICK_MS))
    await userEvent.click(again)
    await waitFor(() => expect(failed).toHaveBeenCalledOnce())
    expect(await screen.findByRole('button', { name: 'Send another code' })).toBeTruthy()
    expect(screen.queryByText('Another code is on its way')).toBeNull()
  })

  it('says when it is wrong, survives a reload, and leads back to the filled form', async () => {
    stubApi({
      ...NONE,
      [SIGNUP]: { status: 202, body: pending },
      [CODE]: { status: 422, body: { code: 'AUTH_CODE_WRONG', message: 'no' } },
    })
    const first = setup('signUp')
    await fill()
    await userEvent.type(await screen.findByLabelText('Code'), '000000')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    expect((await screen.findByRole('alert')).textContent).toBe('This is not the code from the e-mail')
    await userEvent.click(screen.getByRole('button', { name: 'Send another code' }))
    expect(await screen.findByText('Another code is on its way')).toBeTruthy()
    first.unmount()
    setup('signUp')
    expect(await screen.findByText(/We have sent an e-mail to mira@example.com/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Send another code' })).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Change the address' }))
    expect(screen.getByLabelText('E-mail')).toBeTruthy()
  })
})

describe('signing up', () => {
  const errorToast = vi.spyOn(toast, 'error').mockImplementation(() => undefined)
  beforeEach(() => errorToast.mockClear())

  it('sends nothing before terms and privacy policy are accepted', async () => {
    const requests = stubApi(NONE)
    setup('signUp')
    await userEvent.type(screen.getByLabelText('E-mail'), 'mira@example.com')
    await userEvent.type(screen.getByLabelText('Name'), 'Mira')
    await userEvent.type(screen.getByLabelText('Password'), 'long enough')
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Please agree to the terms and the privacy policy')
    expect(posted(requests)).toHaveLength(0)
  })

  const signUp = async () => {
    await userEvent.type(screen.getByLabelText('E-mail'), ' mira@example.com ')
    await userEvent.type(screen.getByLabelText('Name'), 'Mira')
    await userEvent.type(screen.getByLabelText('Password'), 'long enough')
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the privacy policy' }))
    await userEvent.click(screen.getByRole('button', { name: 'Create account' }))
  }

  it('accepts only 201 as a new account', async () => {
    stubApi({ ...NONE, [SIGNUP]: { status: 200, body: user() } })
    const { onDone } = setup('signUp')
    await signUp()
    await waitFor(() => expect(errorToast).toHaveBeenCalledOnce())
    expect(onDone).not.toHaveBeenCalled()
  })

  it('sends the form with its language and says that an address is taken', async () => {
    const requests = stubApi({
      ...NONE,
      [SIGNUP]: { status: 409, body: { code: 'AUTH_ALREADY_EMAIL', message: 'taken' } },
    })
    setup('signUp')
    await signUp()
    expect((await screen.findByRole('alert')).textContent).toBe('This e-mail is already in use')
    expect(errorToast).toHaveBeenCalledExactlyOnceWith('This e-mail is already in use', expect.anything(), 'sign-up')
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      email: 'mira@example.com',
      password: 'long enough',
      name: 'Mira',
      language: 'en',
      termsAccepted: true,
      privacyAccepted: true,
    })
  })

  it.each([
    ['password', 'this password is one of those that are guessed first', 'This password is too easy to guess'],
    ['password', 'a password has 8 to 128 characters', 'The password needs 8 to 128 characters'],
    ['name', 'this name is reserved', 'This name cannot be used'],
  ])('says why the server refuses a %s: %s', async (field, message, words) => {
    const details = [{ field, message }]
    stubApi({ ...NONE, [SIGNUP]: { status: 400, body: { code: 'INVALID_REQUEST', message: 'invalid', details } } })
    setup('signUp')
    await signUp()
    expect((await screen.findByRole('alert')).textContent).toContain(words)
  })

  it('closes the error notice on success', async () => {
    const dropped = vi.spyOn(toast, 'drop')
    stubApi({ ...NONE, [SIGNUP]: { status: 201, body: user() } })
    const { onDone } = setup('signUp')
    await signUp()
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    expect(dropped).toHaveBeenCalledWith('sign-up')
  })
})

describe('signing in through a provider', () => {
  const leave = vi.fn()
  const start = 'POST /api/auth/signup/google/start'

  it('offers only configured providers', async () => {
    const requests = stubApi(NONE)
    setup('signIn')
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull()
  })

  it('goes to the address from the server and remembers an earlier consent', async () => {
    vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
    stubApi({
      [OPTIONS]: { body: { google: true, discord: true } },
      [start]: { body: { url: 'https://accounts.google.com/o/oauth2?state=1' } },
    })
    setup('signUp')
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the terms of use' }))
    await userEvent.click(screen.getByRole('checkbox', { name: 'I agree to the privacy policy' }))
    expect(await screen.findByRole('button', { name: 'Continue with Discord' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Continue with Google' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://accounts.google.com/o/oauth2?state=1'))
    expect(takeAgreement()).toBe(true)
    expect(takeAgreement()).toBe(false)
  })

  it('says when a provider does not answer', async () => {
    stubApi({
      [OPTIONS]: { body: { google: true, discord: false } },
      [start]: { status: 503, body: { code: 'UNAVAILABLE', message: 'away' } },
    })
    setup('signIn')
    await userEvent.click(await screen.findByRole('button', { name: 'Continue with Google' }))
    expect((await screen.findByRole('alert')).textContent).toBe('The request failed. Please try again in a moment.')
  })
})
