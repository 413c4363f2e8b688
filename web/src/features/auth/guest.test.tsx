import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useGuest, useUser, wasSignedIn } from './api'

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
