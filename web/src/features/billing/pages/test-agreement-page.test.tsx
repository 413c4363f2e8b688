import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TestAgreement } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import TestAgreementPage from './test-agreement-page'

const GET = 'GET /api/public/test-agreement/agreement-1'
const ANSWER = 'POST /api/public/test-agreement/agreement-1/answer'
const RETURN_URL = 'http://site.example/account?tab=subscription&paypal=returned'
const agreement = (change: Partial<TestAgreement> = {}): TestAgreement => ({
  _id: 'agreement-1',
  description: 'Basic',
  amount: 990,
  currency: 'USD',
  state: 'Created',
  failed: 0,
  cancelUrl: 'http://site.example/account?tab=subscription&paypal=canceled',
  ...change,
})
const page = (
  <Routes>
    <Route path="/test-agreement/:agreementId" element={<TestAgreementPage />} />
  </Routes>
)
const path = '/test-agreement/agreement-1'
const leave = vi.fn()
beforeEach(() => {
  leave.mockClear()
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
})

it('is approved once and leads back to the subscription', async () => {
  const requests = stubApi({ [GET]: { body: agreement() }, [ANSWER]: { body: { returnUrl: RETURN_URL } } })
  renderApp(page, { path })
  expect(await screen.findByText(/^This is a test\. No money moves/)).toBeTruthy()
  expect(screen.getByText('$9.90')).toBeTruthy()
  await userEvent.dblClick(screen.getByRole('button', { name: 'Approve' }))
  await waitFor(() => expect(leave).toHaveBeenCalledWith(RETURN_URL))
  expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ answer: 'Approve' }])
})

it.each([
  ['Charge the next month', 'Charge', 'The next month was charged.'],
  ['A charge fails', 'Fail', 'A charge has failed. The subscription shows it when its paid month is over.'],
  ['Cancel as the buyer', 'Cancel', 'The agreement was canceled.'],
])('running one has “%s”', async (name, answer, done) => {
  const requests = stubApi({
    [GET]: { body: agreement({ state: 'Active' }) },
    [ANSWER]: { body: { returnUrl: RETURN_URL } },
  })
  renderApp(page, { path })
  await userEvent.dblClick(await screen.findByRole('button', { name }))
  expect(await screen.findByText(done)).toBeTruthy()
  expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ answer }])
  expect(leave).not.toHaveBeenCalled()
})

it('suspended one can only be canceled, and an ended one not at all', async () => {
  let shown = agreement({ state: 'Suspended', failed: 3 })
  stubApi({ [GET]: () => ({ body: shown }) })
  const { unmount } = renderApp(page, { path })
  await screen.findByText('Suspended')
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Cancel as the buyer'])
  unmount()
  shown = agreement({ state: 'Ended' })
  renderApp(page, { path })
  await screen.findByText('Ended')
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('link', { name: 'To your subscription' })).toBeTruthy()
})
