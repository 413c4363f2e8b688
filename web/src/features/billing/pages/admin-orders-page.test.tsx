import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { SoldOrder } from '@/shared/api/types'
import { givenOrder, planOrder, soldOrder } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminOrdersPage from './admin-orders-page'

const LIST = 'GET /api/admin/order'
const ONE = 'GET /api/admin/order/order-1'
const REFUND = 'POST /api/admin/order/order-1/refund'
const listed = (...items: SoldOrder[]) => ({ body: { items, nextCursor: null } })
const detail = (change: Partial<SoldOrder> = {}) => ({
  body: { ...soldOrder(), creditsLeft: 10_000, ...change },
})
const page = <AdminOrdersPage />
const file = () => screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')
const refunds = (requests: ReturnType<typeof stubApi>) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body)

async function openOrder() {
  await userEvent.click(await screen.findByRole('button', { name: 'Details and refunds of Small pack of Mira' }))
  return within(await screen.findByRole('dialog', { name: 'Order details' }))
}

describe('the orders of all users', () => {
  it('are listed with their buyers, amounts and states', async () => {
    stubApi({ [LIST]: listed(soldOrder({ status: 'Failed', failure: 'DECLINED', paidAt: null })) })
    renderApp(page)
    const row = within((await screen.findByText('Small pack')).closest('tr') as HTMLElement)
    expect(row.getByRole('link', { name: /Mira/ }).getAttribute('href')).toBe('/admin/user/info?user=user-1')
    expect(row.getByText('$6.99')).toBeTruthy()
    expect(row.getByText('Test provider')).toBeTruthy()
    expect(row.getByText('Payment failed')).toBeTruthy()
    expect(row.getByText(/^The payment was declined/)).toBeTruthy()
  })

  it('say why a card was declined', async () => {
    const failed = { status: 'Failed', failure: 'DECLINED', paidAt: null } as const
    stubApi({ [LIST]: listed(soldOrder({ ...failed, declineReason: 'FDS_ERROR' })) })
    renderApp(page)
    const row = within((await screen.findByText('Small pack')).closest('tr') as HTMLElement)
    expect(await row.findByText(/^The payment provider stopped this as unusual/)).toBeTruthy()
  })

  it('of a plan show its period, and say that a refund ends the subscription', async () => {
    const sold = soldOrder({ ...planOrder({ periodUntil: '2099-12-20T08:00:00Z' }) })
    stubApi({ [LIST]: listed(sold), [ONE]: { body: { ...sold, creditsLeft: 60_000 } } })
    renderApp(page)
    const row = within((await screen.findByText('Pro monthly')).closest('tr') as HTMLElement)
    expect(row.getByText('Pro plan, 2026.11.20 – 2099.12.20')).toBeTruthy()
    await userEvent.click(row.getByRole('button', { name: /^Details and refunds/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Order details' }))
    expect(await dialog.findByText('The Pro subscription ends at once.')).toBeTruthy()
    expect(dialog.getByText('Pro plan, 2026.11.20 – 2099.12.20')).toBeTruthy()
  })

  it('have what coupons gave, which cannot be refunded', async () => {
    const given = soldOrder({ ...givenOrder(), _id: 'order-1' })
    stubApi({ [LIST]: listed(given), [ONE]: { body: { ...given, creditsLeft: null } } })
    renderApp(page)
    const row = within((await screen.findByText('Welcome')).closest('tr') as HTMLElement)
    expect(row.getByText('Free of charge')).toBeTruthy()
    await userEvent.click(row.getByRole('button', { name: 'Details and refunds of Welcome of Mira' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Order details' }))
    expect(await dialog.findByText('WELCOME-2026')).toBeTruthy()
    expect(dialog.queryByText('Credits left')).toBeNull()
    expect(dialog.queryByRole('button', { name: 'Refund' })).toBeNull()
  })

  it('are filtered by their type in the address, and so is their file', async () => {
    stubApi({ [LIST]: listed() })
    renderApp(page)
    await userEvent.selectOptions(await screen.findByLabelText('Payment type'), 'Coupon')
    await waitFor(() => expect(file()).toBe('/api/admin/order.csv?type=Coupon'))
  })

  it('are filtered in the address, and so is their file', async () => {
    const requests = stubApi({ [LIST]: listed() })
    const { router } = renderApp(page)
    expect(await screen.findByText('No orders yet')).toBeTruthy()
    expect(file()).toBe('/api/admin/order.csv')
    await userEvent.type(screen.getByRole('searchbox'), 'mira@example.com{Enter}')
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Credit pack')
    await userEvent.selectOptions(screen.getByLabelText('Status'), 'Paid')
    await userEvent.selectOptions(screen.getByLabelText('Payment provider'), 'Toss Payments')
    fireEvent.change(screen.getByLabelText('From (UTC)'), { target: { value: '2026-11-01' } })
    fireEvent.change(screen.getByLabelText('Until (UTC)'), { target: { value: '2026-11-30' } })
    const what = 'search=mira%40example.com&kind=Credit&status=Paid&provider=TossPayments'
    const query = `${what}&from=2026-11-01&until=2026-11-30`
    await waitFor(() => expect(requests.at(-1)?.search).toBe(`?limit=20&${query}`))
    expect(router.state.location.search).toBe(`?${query}`)
    expect(file()).toBe(`/api/admin/order.csv?${query}`)
    await userEvent.click(await screen.findByRole('button', { name: 'Show all orders' }))
    expect(router.state.location.search).toBe('')
  })

  it('are not asked for if the last day is before the first', async () => {
    const requests = stubApi({})
    renderApp(page, { path: '/?from=2026-11-30&until=2026-11-01' })
    expect(await screen.findByText('Choose a day that is not before the first.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull()
    expect(requests).toEqual([])
  })
})

describe('a refund', () => {
  it('proposes the rest and the credits that are left, and needs a reason', async () => {
    const half = soldOrder({ amount: 1000, refundedAmount: 500, refundedCredits: 5000 })
    const done = { ...half, status: 'Refunded' as const, refundedAmount: 1000, refundedCredits: 9000 }
    const refund = {
      _id: 'r-1',
      amount: 500,
      credits: 5000,
      bonusCredits: 0,
      reason: 'Half was broken',
      createdAt: half.createdAt,
    }
    const requests = stubApi({
      [LIST]: listed(half),
      [ONE]: detail({ ...half, creditsLeft: 4000, refunds: [{ ...refund, status: 'Asked', endedAt: null }] }),
      [REFUND]: { body: done },
    })
    renderApp(page)
    const dialog = await openOrder()
    const earlier = within(await dialog.findByRole('region', { name: 'Refunds' }))
    expect(earlier.getByText('Half was broken')).toBeTruthy()
    expect(earlier.getByText('Asked for')).toBeTruthy()
    expect(dialog.getByText('4,000 credits')).toBeTruthy()
    const amount = dialog.getByLabelText<HTMLInputElement>('Amount in USD')
    const credits = dialog.getByLabelText<HTMLInputElement>('Credits to take back')
    expect([amount.value, credits.value]).toEqual(['5.00', '4000'])
    const send = dialog.getByRole('button', { name: 'Refund' })
    await userEvent.click(send)
    expect(dialog.getByRole('alert').textContent).toBe('Enter a reason.')
    await userEvent.clear(amount)
    await userEvent.type(amount, '2.50')
    expect(credits.value).toBe('2500')
    await userEvent.type(dialog.getByLabelText('Reason'), 'All was broken')
    await userEvent.dblClick(send)
    expect(await screen.findByText('The refund of $2.50 was asked for')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(within(screen.getByRole('table')).getByText('Refunded')).toBeTruthy()
    expect(refunds(requests)).toEqual([{ amount: 250, credits: 2500, reason: 'All was broken' }])
  })

  it('shows at its fields what the server refuses', async () => {
    const details = [{ field: 'credits', message: 'only 10 are left' }]
    stubApi({
      [LIST]: listed(soldOrder()),
      [ONE]: detail(),
      [REFUND]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'x', details } },
    })
    renderApp(page)
    const dialog = await openOrder()
    await userEvent.type(await dialog.findByLabelText('Reason'), 'Broken')
    await userEvent.click(dialog.getByRole('button', { name: 'Refund' }))
    expect(await dialog.findByText('only 10 are left')).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText('Credits to take back'))
  })

  it('says that the credits are used by now, and loads the order again', async () => {
    let creditsLeft = 10_000
    stubApi({
      [LIST]: listed(soldOrder()),
      [ONE]: () => detail({ creditsLeft }),
      [REFUND]: () => {
        creditsLeft = 10
        return { status: 409, body: { code: 'CREDITS_USED', message: 'no' } }
      },
    })
    renderApp(page)
    const dialog = await openOrder()
    await userEvent.type(await dialog.findByLabelText('Reason'), 'Broken')
    await userEvent.click(dialog.getByRole('button', { name: 'Refund' }))
    expect(await dialog.findByText(/^Some of these credits are used by now/)).toBeTruthy()
    expect(await dialog.findByText('At most 10')).toBeTruthy()
  })

  it('is not offered for an order that is not paid', async () => {
    stubApi({
      [LIST]: listed(soldOrder()),
      [ONE]: detail({ status: 'Canceled', paidAt: null, creditsLeft: 0 }),
    })
    renderApp(page)
    const dialog = await openOrder()
    expect(await dialog.findByText('order-1')).toBeTruthy()
    expect(dialog.queryByRole('button', { name: 'Refund' })).toBeNull()
  })
})
