import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useGuest, useSession, useUser, wasSignedIn } from './api'
import { LoginDialogProvider } from './components/login-dialog'
import { useAsUser } from './use-as-user'

const WHO = 'GET /api/auth'
const GUEST = { status: 401, body: { code: 'AUTH_REQUIRED', message: 'x' } }

function Face() {
  const someone = useUser()
  const guest = useGuest()
  return <p>{`${someone === undefined ? 'unknown' : (someone?.name ?? 'nobody')}, ${guest ? 'guest' : 'no guest'}`}</p>
}

test('where nobody has signed in, what guests see does not wait for the answer', async () => {
  stubApi({ [WHO]: GUEST })
  renderApp(<Face />)
  expect(screen.getByText('unknown, guest')).toBeTruthy()
  expect(await screen.findByText('nobody, guest')).toBeTruthy()
})

test('somebody who was signed in before is waited for, and a session that has ended is forgotten', async () => {
  stubApi({ [WHO]: { body: user({ name: 'Mira' }) } })
  renderApp(<Face />).unmount()
  renderApp(<Face />)
  expect(await screen.findByText('Mira, no guest')).toBeTruthy()
  expect(wasSignedIn()).toBe(true)

  stubApi({ [WHO]: GUEST })
  const { container } = renderApp(<Face />)
  expect(container.textContent).toBe('unknown, no guest')
  expect(await screen.findByText('nobody, guest')).toBeTruthy()
  expect(wasSignedIn()).toBe(false)
})

function Credits() {
  const someone = useUser()
  return <p>{`credits ${someone?.credits.available ?? 'unknown'}`}</p>
}

test('credits that programs spend are seen within a minute, without a press', async () => {
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

test('where the server does not say who is here, that is said, and asked again at a press', async () => {
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
  const asUser = useAsUser()
  const [who, setWho] = useState('')
  return <button type="button" onClick={() => asUser((someone) => setWho(someone.name))}>{`Open ${who}`}</button>
}

test('a press that comes before it is known who is here waits for the answer', async () => {
  stubApi({ [WHO]: { body: user({ name: 'Mira' }) } })
  renderApp(<Door />)
  await userEvent.click(screen.getByRole('button'))
  expect(await screen.findByRole('button', { name: 'Open Mira' })).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a guest who presses is asked to sign in, and an answer that fails is told', async () => {
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
