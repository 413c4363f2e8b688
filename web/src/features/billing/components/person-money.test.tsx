import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { PersonMoney as Money } from '@/shared/api/types'
import { order, personGrant, personMoney, subscription } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import PersonMoney from './person-money'

const MONEY = 'GET /api/admin/user/user-1/money'
const DEBIT = 'POST /api/admin/credit/debit'
const part = <PersonMoney id="user-1" email="mira@example.com" />
const money = (change: Partial<Money> = {}) => ({ body: personMoney(change) })
const fact = (name: string) => screen.getByText(name).nextElementSibling?.textContent
const debits = (requests: ReturnType<typeof stubApi>) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body)

async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'Take back: A lost job, 70 of 100 left' }))
  return within(await screen.findByRole('dialog', { name: 'Take credits back' }))
}

describe('the money of a person', () => {
  it('has the plans, the subscription with its next charge, and the balance', async () => {
    stubApi({
      [MONEY]: money({
        plan: 'Pro',
        givenPlan: { plan: 'Basic', until: '2099-02-01T12:00:00Z' },
        subscription: subscription({ method: null }),
        balance: { available: 1070, held: 30 },
      }),
    })
    renderApp(part)
    expect(await screen.findByText('Basic, until 2099.02.01')).toBeTruthy()
    expect([fact('Plan'), fact('Own plan')]).toEqual(['Pro', 'Free'])
    expect([fact('Available credits'), fact('Held credits')]).toEqual(['1,070', '30'])
    expect(fact('Subscription')).toBe('Pro for $9.90 a monthActive')
    expect(fact('Next charge')).toBe('$9.90 on 2026.12.20')
  })

  it('is not charged again if the subscription is canceled', async () => {
    stubApi({ [MONEY]: money({ subscription: subscription({ isCanceled: true }) }) })
    renderApp(part)
    expect(await screen.findByText(/^Ends on/)).toBeTruthy()
    expect(fact('Next charge')).toBe('None')
  })

  it('has the newest orders, with links to them and to all', async () => {
    stubApi({ [MONEY]: money({ orders: [order({ refundedAmount: 500 })] }) })
    renderApp(part)
    const orders = within(await screen.findByRole('region', { name: 'Newest orders' }))
    expect(orders.getByRole('link', { name: 'Small pack' }).getAttribute('href')).toBe(
      '/admin/list/order-history?search=order-1',
    )
    expect(orders.getByText('$6.99')).toBeTruthy()
    expect(orders.getByText('$5.00 paid back')).toBeTruthy()
    expect(orders.getByRole('link', { name: 'All orders of this person' }).getAttribute('href')).toBe(
      '/admin/list/order-history?search=mira%40example.com',
    )
  })

  it('says what is empty, and offers a retry after a failure', async () => {
    let fails = true
    stubApi({
      [MONEY]: () => (fails ? { status: 500, body: { code: 'INTERNAL', message: 'x' } } : money({ grants: [] })),
    })
    renderApp(part)
    const retry = await screen.findByRole('button', { name: 'Try Again' })
    fails = false
    await userEvent.click(retry)
    expect(await screen.findByText('No credits are left')).toBeTruthy()
    expect(screen.getByText('No orders')).toBeTruthy()
    expect([fact('Given plan'), fact('Subscription')]).toEqual(['None', 'None'])
    expect(screen.queryByText('Next charge')).toBeNull()
  })
})

describe('credits of a grant', () => {
  it('are taken back once, with an amount and a reason', async () => {
    let remaining = 70
    const requests = stubApi({
      [MONEY]: () => money({ grants: [personGrant({ remaining })] }),
      [DEBIT]: () => {
        remaining = 10
        return { body: { available: 10, held: 0 } }
      },
    })
    renderApp(part)
    const dialog = await openForm()
    const send = dialog.getByRole('button', { name: 'Take back' })
    await userEvent.click(send)
    expect(dialog.getAllByRole('alert').map((alert) => alert.textContent)).toEqual([
      'Enter a whole number from 1 to 70.',
      'Enter a reason.',
    ])
    await userEvent.type(dialog.getByLabelText('Credits to take back'), '60')
    await userEvent.type(dialog.getByLabelText('Reason'), ' Twice ')
    await userEvent.dblClick(send)
    expect(await screen.findByText('60 credits were taken back')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(debits(requests)).toEqual([{ user: 'user-1', source: 'operator:A lost job', amount: 60, reason: 'Twice' }])
    await waitFor(() => expect(screen.getByText('10 of 100 left')).toBeTruthy())
  })

  it('stay if fewer are left by now', async () => {
    let remaining = 70
    stubApi({
      [MONEY]: () => money({ grants: [personGrant({ remaining })] }),
      [DEBIT]: () => {
        remaining = 4
        return { status: 422, body: { code: 'CREDITS_USED', message: 'no', details: { available: 4 } } }
      },
    })
    renderApp(part)
    const dialog = await openForm()
    await userEvent.type(dialog.getByLabelText('Credits to take back'), '70')
    await userEvent.type(dialog.getByLabelText('Reason'), 'Twice')
    await userEvent.click(dialog.getByRole('button', { name: 'Take back' }))
    expect(await dialog.findByText('Only 4 of these credits are left by now. Nothing was taken back.')).toBeTruthy()
    expect(await dialog.findByText('At most 4')).toBeTruthy()
  })

  it('of an order are taken back by its refund', async () => {
    const grant = personGrant({ kind: 'Purchase', source: 'order:order-1', order: 'order-1', held: 5 })
    stubApi({ [MONEY]: money({ grants: [grant] }) })
    renderApp(part)
    expect(await screen.findByText('70 of 100 left, 5 held')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /^Take back/ })).toBeNull()
    expect(screen.getByRole('link', { name: /^To the order: Bought credits/ }).getAttribute('href')).toBe(
      '/admin/list/order-history?search=order-1',
    )
  })
})
