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

it('has a tab that a link with the code of a coupon opens', async () => {
  const requests = stubApi({
    'GET /api/auth': { body: user() },
    'GET /api/general/coupon': { body: { items: [], nextCursor: null } },
  })
  renderApp(<AccountPage />, { path: '/account?tab=coupon&code=WELCOME-2026' })
  expect((await screen.findByLabelText<HTMLInputElement>('Coupon code')).value).toBe('WELCOME-2026')
  expect(await screen.findByText('No coupons used yet')).toBeTruthy()
  expect(requests.some(({ method }) => method === 'POST')).toBe(false)
})

it('has a tab with the orders of the user', async () => {
  stubApi({
    'GET /api/auth': { body: user() },
    'GET /api/general/order': { body: { items: [], nextCursor: null } },
  })
  renderApp(<AccountPage />, { path: '/account?tab=orders' })
  expect(await screen.findByText('No orders yet')).toBeTruthy()
  expect(screen.getByRole('tab', { name: 'Orders' }).getAttribute('aria-selected')).toBe('true')
})

it('has tabs for the subscription and its cards', async () => {
  stubApi({
    'GET /api/auth': { body: user() },
    'GET /api/general/subscription': { body: { subscription: null } },
    'GET /api/auth/me/subscription': { status: 404, body: { code: 'NOT_FOUND', message: 'no' } },
    'GET /api/general/payment-method': { body: { methods: [], hasCardForm: false } },
  })
  renderApp(<AccountPage />, { path: '/account?tab=subscription' })
  expect(await screen.findByText('No subscription')).toBeTruthy()
  await userEvent.click(screen.getByRole('tab', { name: 'Payment methods' }))
  expect(await screen.findByText('No payment methods yet')).toBeTruthy()
})
