import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { AdminSubscription, CalendarDay } from '@/shared/api/types'
import { subscription } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminSubscriptionsPage from './admin-subscriptions-page'

const CALENDAR = 'GET /api/admin/subscription/calendar'
const LIST = 'GET /api/admin/subscription'
const END = 'POST /api/admin/subscription/sub-1/end'
const row = (change: Partial<AdminSubscription> = {}): AdminSubscription => ({
  ...subscription(),
  user: { _id: 'user-1', name: 'Mira', profile: null },
  ...change,
})
const days = (month: string): CalendarDay[] =>
  Array.from({ length: 31 }, (_, index) => ({
    day: `${month}-${String(index + 1).padStart(2, '0')}`,
    planned: index === 19 ? [{ currency: 'USD', count: 3, amount: 2970 }] : [],
    paid: index === 4 ? [{ currency: 'KRW', count: 2, amount: 25_800 }] : [],
    failed: index === 4 ? 1 : 0,
  }))
const ANSWERS = {
  [CALENDAR]: (request: Request) => {
    const month = new URL(request.url).searchParams.get('month') ?? ''
    return { body: { month, days: days(month) } }
  },
  [LIST]: { body: { items: [row()], nextCursor: null } },
}
const page = <AdminSubscriptionsPage />
const path = '/admin/subscription-calendar?month=2026-12'
const asked = (requests: ReturnType<typeof stubApi>, of: string) =>
  requests.filter((request) => `${request.method} ${request.path}` === of).map(({ search }) => search)
const wide = () =>
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('min-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))

describe('the calendar', () => {
  it('is a grid of days where there is room', async () => {
    wide()
    stubApi(ANSWERS)
    renderApp(page, { path })
    const grid = within(await screen.findByRole('table', { name: 'December 2026' }))
    expect(grid.getAllByRole('columnheader')).toHaveLength(7)
    expect(grid.getAllByRole('link')).toHaveLength(31)
    expect(grid.getByRole('link', { name: /^December 20, 2026/ }).textContent).toContain('3 planned · $29.70')
    const busy = grid.getByRole('link', { name: /^December 5, 2026/ }).textContent
    expect(busy).toContain('2 paid · ₩25,800')
    expect(busy).toContain('1 failed')
  })

  it('is a list of the busy days on a phone', async () => {
    stubApi(ANSWERS)
    renderApp(page, { path })
    const list = within(await screen.findByRole('list', { name: 'December 2026' }))
    expect(list.getAllByRole('listitem')).toHaveLength(2)
  })

  it('goes to other months by the address', async () => {
    const requests = stubApi(ANSWERS)
    const { router } = renderApp(page, { path })
    await userEvent.click(await screen.findByRole('link', { name: 'Next month' }))
    expect(await screen.findByRole('heading', { name: 'January 2027' })).toBeTruthy()
    expect(router.state.location.search).toBe('?month=2027-01')
    expect(asked(requests, CALENDAR)).toEqual(['?month=2026-12', '?month=2027-01'])
  })

  it('opens the subscriptions of a day', async () => {
    const requests = stubApi(ANSWERS)
    const { router } = renderApp(page, { path })
    await userEvent.click(await screen.findByRole('link', { name: /^December 20, 2026/ }))
    expect(await screen.findByRole('heading', { name: 'Subscriptions of December 20, 2026' })).toBeTruthy()
    await waitFor(() => expect(asked(requests, LIST).at(-1)).toBe('?limit=20&day=2026-12-20'))
    await userEvent.click(screen.getByRole('button', { name: 'All days' }))
    expect(router.state.location.search).toBe('?month=2026-12')
  })

  it('says what failed', async () => {
    stubApi({ ...ANSWERS, [CALENDAR]: { status: 500, body: { code: 'INTERNAL', message: 'x' } } })
    renderApp(page, { path })
    expect(await screen.findByRole('alert')).toBeTruthy()
    expect(await screen.findByText('Mira')).toBeTruthy()
  })
})

describe('the subscriptions', () => {
  it('show user, plan, price and state', async () => {
    const failed = row({ _id: 'sub-2', status: 'PastDue', tries: 2, plan: 'Basic', nextPlan: 'Pro' })
    stubApi({ ...ANSWERS, [LIST]: { body: { items: [row(), failed], nextCursor: null } } })
    renderApp(page, { path })
    const table = within(await screen.findByRole('table', { name: 'Subscriptions' }))
    expect(table.getAllByText('Mira')).toHaveLength(2)
    expect(table.getAllByText('$9.90')).toHaveLength(2)
    expect(table.getByText('Active')).toBeTruthy()
    expect(table.getByText('Basic, then Pro')).toBeTruthy()
    expect(table.getByText('2 of 3 tries')).toBeTruthy()
  })

  it('are filtered in the address', async () => {
    const requests = stubApi({ ...ANSWERS, [LIST]: { body: { items: [], nextCursor: null } } })
    const { router } = renderApp(page, { path })
    await userEvent.selectOptions(await screen.findByLabelText('Status'), 'Payment failed')
    await userEvent.type(screen.getByRole('searchbox'), 'mira{Enter}')
    await waitFor(() => expect(asked(requests, LIST).at(-1)).toBe('?limit=20&status=PastDue&search=mira'))
    expect(await screen.findByText('Nothing matches these filters')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Show all subscriptions' }))
    expect(router.state.location.search).toBe('?month=2026-12')
    expect(await screen.findByText('No subscriptions yet')).toBeTruthy()
  })

  it('are ended once, with a reason', async () => {
    const ended = row({ status: 'Ended', endReason: 'Canceled', endedAt: '2026-12-01T08:00:00Z' })
    const requests = stubApi({ ...ANSWERS, [END]: { body: ended } })
    renderApp(page, { path })
    await userEvent.click(await screen.findByRole('button', { name: 'End Pro of Mira' }))
    const form = within(await screen.findByRole('dialog', { name: 'End Pro of Mira' }))
    const send = form.getByRole('button', { name: 'End now' })
    await userEvent.click(send)
    expect(form.getByRole('alert').textContent).toBe('Enter a reason.')
    await userEvent.type(form.getByLabelText('Reason'), ' Fraud ')
    await userEvent.dblClick(send)
    expect(await screen.findByText('The subscription was ended')).toBeTruthy()
    expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ reason: 'Fraud' }])
    expect(await screen.findByText(/^Ended on/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'End Pro of Mira' })).toBeNull()
  })
})
