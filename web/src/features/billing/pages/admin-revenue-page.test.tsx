import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { RevenueRow } from '@/shared/api/types'
import { revenueRow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminRevenuePage from './admin-revenue-page'

const REVENUE = 'GET /api/admin/revenue'
const found = (...rows: RevenueRow[]) => ({ body: { periods: ['2026-11-19', '2026-11-20'], rows } })
const won = revenueRow({ provider: 'Test', currency: 'KRW', orders: 1, paid: 9900, refunded: 0, net: 9900 })
const page = <AdminRevenuePage />
const file = () => screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')

describe('revenue', () => {
  it('has totals and a chart by currency, and a table', async () => {
    stubApi({ [REVENUE]: found(revenueRow(), won) })
    renderApp(page)
    const totals = within(await screen.findByRole('region', { name: 'Totals' }))
    expect(totals.getByText('Net in USD')).toBeTruthy()
    expect(totals.getByText('$6.99')).toBeTruthy()
    expect(totals.getByText('$13.98 paid in 2 orders, $6.99 paid back')).toBeTruthy()
    expect(totals.getByText('₩9,900')).toBeTruthy()
    const words = /^Bars of \$13\.98 paid and \$6\.99 paid back from November 19, 2026 to November 20, 2026\./
    expect(screen.getByRole('img', { name: words })).toBeTruthy()
    expect(screen.getByText('November 20, 2026: $13.98 paid, $6.99 paid back')).toBeTruthy()
    const table = within(screen.getByRole('table', { name: 'Revenue by period, provider and kind' }))
    const row = within(table.getByText('PayPal').closest('tr') as HTMLElement)
    expect(row.getByText('November 20, 2026')).toBeTruthy()
    expect(row.getByText('Credit packs')).toBeTruthy()
    expect(row.getByText('$13.98')).toBeTruthy()
    expect(screen.getByText(/^Payments of the test provider are included/)).toBeTruthy()
  })

  it('is filtered in the address, and so is its file', async () => {
    const requests = stubApi({ [REVENUE]: found(revenueRow(), won) })
    const { router } = renderApp(page)
    expect(await screen.findByRole('table')).toBeTruthy()
    expect(requests.at(-1)?.search).toBe('?groupBy=day')
    expect(file()).toBe('/api/admin/revenue.csv?groupBy=day')
    fireEvent.change(screen.getByLabelText('From (UTC)'), { target: { value: '2026-01-01' } })
    fireEvent.change(screen.getByLabelText('Until (UTC)'), { target: { value: '2026-11-30' } })
    await userEvent.selectOptions(screen.getByLabelText('Group by'), 'Month')
    const query = 'from=2026-01-01&until=2026-11-30&groupBy=month'
    await waitFor(() => expect(requests.at(-1)?.search).toBe(`?${query}`))
    expect(file()).toBe(`/api/admin/revenue.csv?${query}`)
    expect((await screen.findAllByText('November 2026')).length).toBeGreaterThan(0)
    const asked = requests.length
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Payment provider' }), 'Toss Payments')
    expect(await screen.findByText('No payments in this time')).toBeTruthy()
    expect(router.state.location.search).toBe(`?${query}&provider=TossPayments`)
    expect(requests).toHaveLength(asked)
  })

  it('is not asked for if the last day is before the first', async () => {
    const requests = stubApi({})
    renderApp(page, { path: '/?from=2026-11-30&until=2026-11-01' })
    expect(await screen.findByText('Choose a day that is not before the first.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull()
    expect(requests).toEqual([])
  })

  it('says that a time has too many periods, and offers a retry after a failure', async () => {
    let status = 400
    stubApi({
      [REVENUE]: () => (status === 200 ? found(revenueRow()) : { status, body: { code: 'INTERNAL', message: 'x' } }),
    })
    const { unmount } = renderApp(page, { path: '/?from=2000-01-01' })
    expect(await screen.findByText(/^This time has too many periods/)).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull()
    unmount()
    status = 500
    renderApp(page)
    const retry = await screen.findByRole('button', { name: 'Try Again' })
    status = 200
    await userEvent.click(retry)
    expect(await screen.findByRole('table')).toBeTruthy()
  })
})
