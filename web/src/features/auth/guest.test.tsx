import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useGuest, useSession, useUser, wasSignedIn } from './api'
import { LoginDialogProvider } from './components/login-dialog'
import { useRequireUser } from './use-require-user'

const WHO = 'GET /api/auth'
const GUEST = { status: 401, body: { code: 'AUTH_REQUIRED', message: 'x' } }

function Face() {
  const someone = useUser()
  const guest = useGuest()
  return (
    <p>{`${someone === undefined ? 'unknown' : (someone?.name ?? 'signed out')}, ${guest ? 'guest' : 'no guest'}`}</p>
  )
}

test('the guest view does not wait for the session if no user was signed in before', async () => {
  stubApi({ [WHO]: GUEST })
  renderApp(<Face />)
  expect(screen.getByText('unknown, guest')).toBeTruthy()
  expect(await screen.findByText('signed out, guest')).toBeTruthy()
})

test('the session is awaited if a user was signed in before, and an ended one is forgotten', async () => {
  stubApi({ [WHO]: { body: user({ name: 'Mira' }) } })
  renderApp(<Face />).unmount()
  renderApp(<Face />)
  expect(await screen.findByText('Mira, no guest')).toBeTruthy()
  expect(wasSignedIn()).toBe(true)

  stubApi({ [WHO]: GUEST })
  const { container } = renderApp(<Face />)
  expect(container.textContent).toBe('unknown, no guest')
  expect(await screen.findByText('signed out, guest')).toBeTruthy()
  expect(wasSignedIn()).toBe(false)
})

function Credits() {
  const someone = useUser()
  return <p>{`credits ${someone?.credits.available ?? 'unknown'}`}</p>
}

test('credits spent by programs show within a minute', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let available = 6000
  stubApi({ [WHO]: () => ({ body: user({ credits: { available, held: 0 } }) }) })
  renderApp(<Credits />)
  expect(await screen.findByText('credits 6000')).toBeTruthy()
  available = 5981
  await vi.advanceTimersByTimeAsync(61_000)
  expect(await screen.findByText('credits 5981')).toBeTruthy()
})

function Says() {
  const session = useSession()
  return (
    <>
      <p>{`session ${session.is}`}</p>
      {session.is === 'failed' && (
        <button type="button" onClick={session.retry}>
          {'again'}
        </button>
      )}
    </>
  )
}

test('a failed session request shows an error, and a press retries', async () => {
  let works = false
  stubApi({
    [WHO]: () => (works ? { body: user() } : { status: 500, body: { code: 'INTERNAL', message: 'down' } }),
  })
  renderApp(<Says />)
  expect(screen.getByText('session unknown')).toBeTruthy()
  const again = await screen.findByRole('button', { name: 'again' })
  expect(screen.getByText('session failed')).toBeTruthy()
  works = true
  await userEvent.click(again)
  expect(await screen.findByText('session user')).toBeTruthy()
})

function Door() {
  const asUser = useRequireUser()
  const [who, setWho] = useState('')
  return <button type="button" onClick={() => asUser((someone) => setWho(someone.name))}>{`Open ${who}`}</button>
}

test('a press before the session is known waits for it', async () => {
  stubApi({ [WHO]: { body: user({ name: 'Mira' }) } })
  renderApp(<Door />)
  await userEvent.click(screen.getByRole('button'))
  expect(await screen.findByRole('button', { name: 'Open Mira' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a guest is asked to sign in on a press, and a failed session request is shown', async () => {
  stubApi({ [WHO]: GUEST, 'GET /api/public/sign-in-options': { body: { google: false, discord: false } } })
  renderApp(
    <LoginDialogProvider>
      <Door />
    </LoginDialogProvider>,
  )
  await userEvent.click(screen.getByRole('button'))
  expect(await screen.findByRole('dialog')).toBeTruthy()

  cleanup()
  stubApi({ [WHO]: { status: 500, body: { code: 'INTERNAL', message: 'x' } } })
  renderApp(<Door />)
  await userEvent.click(screen.getByRole('button'))
  expect((await screen.findAllByText('The request failed. Please try again in a moment.')).length).toBeGreaterThan(0)
})
