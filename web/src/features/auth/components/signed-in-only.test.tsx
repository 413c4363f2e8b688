import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { SignedInOnly } from './signed-in-only'

const shown = <SignedInOnly guest={<p>{'for guests'}</p>}>{({ name }) => <p>{`for ${name}`}</p>}</SignedInOnly>

it('guests see guest content, and signed-in users their own', async () => {
  stubApi({ 'GET /api/auth': { body: user() } })
  const { unmount } = renderApp(shown)
  expect(await screen.findByText('for Mira')).toBeTruthy()
  unmount()
  stubApi({ 'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'x' } } })
  renderApp(shown)
  expect(await screen.findByText('for guests')).toBeTruthy()
})

it('an unanswered session request shows an error instead of waiting', async () => {
  let status = 500
  stubApi({
    'GET /api/auth': () =>
      status === 500 ? { status, body: { code: 'INTERNAL', message: 'x' } } : { status, body: user() },
  })
  renderApp(shown)
  const again = await screen.findByRole('button', { name: 'Try Again' })
  expect(screen.queryByText('for guests')).toBeNull()
  status = 200
  await userEvent.click(again)
  expect(await screen.findByText('for Mira')).toBeTruthy()
})
