import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { Shell } from './shell'

// jsdom has no dialogs, which the drawer uses.
HTMLDialogElement.prototype.showModal = () => undefined
HTMLDialogElement.prototype.close = () => undefined

it('shows an error with a retry when the session cannot be loaded', async () => {
  let broken = true
  const refused = { status: 404, body: { code: 'NOT_FOUND', message: 'no' } }
  const auth = () => (broken ? { status: 500, body: { code: 'INTERNAL', message: 'broken' } } : { body: user() })
  stubApi(new Proxy({} as Parameters<typeof stubApi>[0], { get: (_, of) => (of === 'GET /api/auth' ? auth : refused) }))
  renderApp(<Shell />)
  const main = screen.getByRole('main')
  await waitFor(() => expect(main.querySelector('[role=alert]')).not.toBeNull())
  broken = false
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  await waitFor(() => expect(main.querySelector('[role=alert]')).toBeNull())
})
