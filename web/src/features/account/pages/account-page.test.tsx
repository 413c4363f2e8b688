import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AccountPage from './account-page'

it('has a tab with its own address for the account webhooks', async () => {
  const requests = stubApi({
    'GET /api/auth': { body: user() },
    'GET /api/general/api-key': { body: { items: [] } },
    'GET /api/general/webhook-config': { body: { items: [] } },
  })
  const { router } = renderApp(<AccountPage />, { path: '/account?tab=keys' })
  const tab = await screen.findByRole('tab', { name: 'Webhooks' })
  expect(requests.some(({ path }) => path.includes('webhook'))).toBe(false)
  await userEvent.click(tab)
  expect(await screen.findByText('No webhooks yet')).toBeTruthy()
  expect(router.state.location.search).toBe('?tab=webhooks')
})
