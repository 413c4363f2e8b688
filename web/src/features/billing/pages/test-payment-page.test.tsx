import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TestPayment } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import TestPaymentPage from './test-payment-page'

const GET = 'GET /api/public/test-payment/pay-1'
const ANSWER = 'POST /api/public/test-payment/pay-1'
const RETURN_URL = 'http://site.example/account?tab=orders&order=order-1'
const payment = (change: Partial<TestPayment> = {}): TestPayment => ({
  _id: 'pay-1',
  description: 'Small pack',
  amount: 699,
  currency: 'USD',
  state: 'Created',
  cancelUrl: `${RETURN_URL}&canceled=1`,
  ...change,
})
const page = (
  <Routes>
    <Route path="/test-payment/:paymentId" element={<TestPaymentPage />} />
  </Routes>
)
const path = '/test-payment/pay-1'
const leave = vi.fn()
beforeEach(() => {
  leave.mockClear()
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
})

it('says that no money moves, and what is paid', async () => {
  stubApi({ [GET]: { body: payment() } })
  renderApp(page, { path })
  expect(await screen.findByText(/^This is a test\. No money moves/)).toBeTruthy()
  expect(screen.getByText('Small pack')).toBeTruthy()
  expect(screen.getByText('$6.99')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe(`${RETURN_URL}&canceled=1`)
})

it.each([
  ['Approve', 'Approve'],
  ['Decline', 'Decline'],
  ['Take the money, lose the answer', 'Hang'],
  ['Approve and report twice', 'Twice'],
])('sends “%s” once and goes back', async (name, answer) => {
  const requests = stubApi({ [GET]: { body: payment() }, [ANSWER]: { body: { returnUrl: RETURN_URL } } })
  renderApp(page, { path })
  await userEvent.dblClick(await screen.findByRole('button', { name }))
  await waitFor(() => expect(leave).toHaveBeenCalledWith(RETURN_URL))
  const bodies = requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(bodies).toEqual([{ answer }])
})

it('says that it was answered', async () => {
  stubApi({ [GET]: { body: payment({ state: 'Captured' }) } })
  renderApp(page, { path })
  expect(await screen.findByText('This test payment was already answered.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
})

it('says that it was answered in another tab', async () => {
  const body = { code: 'TEST_PAYMENT_ANSWERED', message: 'no' }
  stubApi({ [GET]: { body: payment() }, [ANSWER]: { status: 409, body } })
  renderApp(page, { path })
  await userEvent.click(await screen.findByRole('button', { name: 'Decline' }))
  expect(await screen.findByText('This test payment was already answered.')).toBeTruthy()
  expect(leave).not.toHaveBeenCalled()
})

it('shows why an answer was not taken', async () => {
  stubApi({ [GET]: { body: payment() }, [ANSWER]: { status: 500, body: { code: 'INTERNAL', message: 'x' } } })
  renderApp(page, { path })
  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The request failed')
})

it('does not exist for an unknown payment', async () => {
  stubApi({ [GET]: { status: 404, body: { code: 'NOT_FOUND', message: 'no' } } })
  renderApp(page, { path })
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})
