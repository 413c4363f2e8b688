import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import type { TestCard } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import TestCardPage from './test-card-page'

const GET = 'GET /api/public/test-card/card-9'
const ANSWER = 'POST /api/public/test-card/card-9/answer'
const RETURN_URL = 'http://site.example/account?tab=payment&method=card-9'
const card = (change: Partial<TestCard> = {}): TestCard => ({
  _id: 'card-9',
  state: 'Created',
  cancelUrl: `${RETURN_URL}&failed=1&code=PAY_PROCESS_CANCELED`,
  ...change,
})
const page = (
  <Routes>
    <Route path="/test-card/:cardId" element={<TestCardPage />} />
  </Routes>
)
const path = '/test-card/card-9'
const leave = vi.fn()
beforeEach(() => {
  leave.mockClear()
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
})

it('says that nothing is real, and leads back', async () => {
  stubApi({ [GET]: { body: card() } })
  renderApp(page, { path })
  expect(await screen.findByText(/^This is a test\. No real card is saved/)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Cancel' }).getAttribute('href')).toBe(card().cancelUrl)
})

it.each([
  ['A card that works', 'Works'],
  ['A card that is declined', 'Declines'],
  ['Works once, then is declined', 'DeclinesLater'],
  ['Takes the money and loses the answer', 'Hangs'],
])('chooses “%s” once and goes back', async (name, answer) => {
  const requests = stubApi({ [GET]: { body: card() }, [ANSWER]: { body: { returnUrl: RETURN_URL } } })
  renderApp(page, { path })
  await userEvent.dblClick(await screen.findByRole('button', { name }))
  await waitFor(() => expect(leave).toHaveBeenCalledWith(RETURN_URL))
  expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ answer }])
})

it('says that it was chosen before', async () => {
  stubApi({ [GET]: { body: card({ state: 'Saved' }) } })
  renderApp(page, { path })
  expect(await screen.findByText('This test card was already chosen.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'A card that works' })).toBeNull()
})

it('shows why an answer was not taken', async () => {
  stubApi({ [GET]: { body: card() }, [ANSWER]: { status: 500, body: { code: 'INTERNAL', message: 'x' } } })
  renderApp(page, { path })
  await userEvent.click(await screen.findByRole('button', { name: 'A card that works' }))
  expect((await screen.findByRole('alert')).textContent).toContain('The request failed')
})

it('does not exist for an unknown card', async () => {
  stubApi({ [GET]: { status: 404, body: { code: 'NOT_FOUND', message: 'no' } } })
  renderApp(page, { path })
  expect(await screen.findByRole('heading', { name: 'This page does not exist' })).toBeTruthy()
})
