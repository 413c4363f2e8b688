import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { userQuery } from '@/features/auth'
import { keys } from '@/shared/api/keys'
import { createQueryClient } from '@/shared/api/query-client'
import type { Order } from '@/shared/api/types'
import { givenOrder, order, planOrder, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { ASKING_MS } from '../orders-model'
import OwnOrders from './own-orders'

const LIST = 'GET /api/general/order'
const ONE = 'GET /api/general/order/order-1'
const COMPLETE = 'POST /api/general/order/order-1/complete'
const CANCEL = 'POST /api/general/order/order-1/cancel'
const REFUND = 'POST /api/general/order/order-1/refund'
const ANSWERS = {
  'GET /api/auth': { body: user() },
  'GET /api/public/operator': { body: { name: 'Green Studio', email: 'help@example.com' } },
}
const listed = (...items: Order[]) => ({ body: { items, nextCursor: null } })
const ready = (change: Partial<Order> = {}) =>
  order({
    status: 'Ready',
    payAt: 'https://pay.example/1',
    paidAt: null,
    refundableUntil: null,
    expiresAt: null,
    ...change,
  })
const settling = ready({ isSettling: true, payAt: null })
const BACK = { path: '/account?tab=orders&order=order-1' }
const tab = <OwnOrders />
const rowOf = async (name: string) => within(await screen.findByRole('article', { name }))
const sent = (requests: ReturnType<typeof stubApi>, path: string) =>
  requests.filter((request) => `${request.method} ${request.path}` === path)

afterEach(() => vi.restoreAllMocks())

describe('the orders', () => {
  it('show what was bought, their state and what can be done', async () => {
    stubApi({
      ...ANSWERS,
      [LIST]: listed(
        order(),
        ready({ _id: 'o-2', name: 'Open pack' }),
        ready({ _id: 'o-3', name: 'Failed pack', status: 'Failed', failure: 'DECLINED', payAt: null }),
        order({
          _id: 'o-4',
          name: 'Old pack',
          status: 'Refunded',
          refundedAmount: 699,
          refundedCredits: 10_000,
          refundableUntil: null,
        }),
        ready({ _id: 'o-5', name: 'Slow pack', isSettling: true, payAt: null }),
        order({ _id: 'o-6', name: 'First pack', bonusCredits: 2000 }),
        order({ _id: 'o-7', name: 'Cheap pack', listAmount: 874, percentOff: 20, couponCode: 'SPRING-20' }),
      ),
    })
    renderApp(tab)
    const paid = await rowOf('Small pack')
    expect(paid.getByText('Paid')).toBeTruthy()
    expect(paid.getByText('$6.99 · 10,000 credits')).toBeTruthy()
    expect(paid.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Details', 'Refund'])
    const open = await rowOf('Open pack')
    expect(open.getByText('Payment in progress')).toBeTruthy()
    expect(open.getByRole('link', { name: 'Continue to payment' }).getAttribute('href')).toBe('https://pay.example/1')
    expect(open.getByRole('button', { name: 'Cancel order' })).toBeTruthy()
    const failed = await rowOf('Failed pack')
    expect(failed.getByText(/^The payment was declined/)).toBeTruthy()
    expect(failed.queryByRole('button', { name: 'Cancel order' })).toBeNull()
    expect((await rowOf('Old pack')).getByText('$6.99 paid back, 10,000 credits taken back')).toBeTruthy()
    expect((await rowOf('First pack')).getByText('2,000 bonus credits')).toBeTruthy()
    expect((await rowOf('Cheap pack')).getByText('Discount: 20% with the code SPRING-20')).toBeTruthy()
    const slow = await rowOf('Slow pack')
    expect(slow.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Details'])
    expect(screen.getByRole('link', { name: 'Plans and credit packs' }).getAttribute('href')).toBe('/pricing')
  })

  it('of a plan show its period, and that a refund ends the subscription', async () => {
    const running = planOrder({ periodUntil: '2099-12-20T08:00:00Z' })
    const change = planOrder({ _id: 'o-2', name: 'Change', isChange: true, refundableUntil: null })
    stubApi({ ...ANSWERS, [LIST]: listed(running, change) })
    renderApp(tab)
    const paid = await rowOf('Pro monthly')
    expect(paid.getByText('Pro plan, 2026.11.20 – 2099.12.20')).toBeTruthy()
    expect((await rowOf('Change')).getByText(/^Difference for the change to Pro, 2026\.11\.20 – 2026/)).toBeTruthy()
    await userEvent.click(paid.getByRole('button', { name: 'Refund' }))
    expect(await screen.findByText(/The Pro subscription ends at once\.$/)).toBeTruthy()
  })

  it('lead to the shop while there are none', async () => {
    stubApi({ ...ANSWERS, [LIST]: listed() })
    renderApp(tab)
    expect(await screen.findByText('No orders yet')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Plans and credit packs' })).toBeTruthy()
  })

  it('have what coupons and admins gave, without a price and a receipt', async () => {
    const gift = { type: 'Free', provider: 'Free', couponCode: null } as const
    stubApi({
      ...ANSWERS,
      [LIST]: listed(
        givenOrder(),
        givenOrder({ ...gift, _id: 'given-2', name: 'Credits', credits: 100 }),
        givenOrder({
          ...gift,
          _id: 'given-3',
          kind: 'Subscription',
          name: 'Pro',
          plan: 'Pro',
          credits: 0,
          periodFrom: '2026-11-20T08:00:00Z',
        }),
      ),
    })
    renderApp(tab)
    const coupon = await rowOf('Welcome')
    expect(coupon.getByText('Coupon')).toBeTruthy()
    expect(coupon.getByText('Free of charge · 500 credits')).toBeTruthy()
    expect(coupon.getByText('Coupon code: WELCOME-2026')).toBeTruthy()
    expect((await rowOf('Credits from the operators')).getByText('Free of charge · 100 credits')).toBeTruthy()
    const plan = await rowOf('Pro')
    expect(plan.getByText('Free')).toBeTruthy()
    expect(plan.getByText('Free of charge')).toBeTruthy()
    expect(plan.getByText('Pro plan from 2026.11.20, without an end')).toBeTruthy()
    expect(plan.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Details'])
    await userEvent.click(coupon.getByRole('button', { name: 'Details' }))
    const details = within(await screen.findByRole('dialog', { name: 'Order details' }))
    expect(details.getByText('Free of charge')).toBeTruthy()
    expect(details.getByText('WELCOME-2026')).toBeTruthy()
    expect(details.getByText('Given on')).toBeTruthy()
    for (const text of ['Ordered', 'Paid on']) expect(details.queryByText(text)).toBeNull()
    expect(details.queryByRole('button', { name: 'Print receipt' })).toBeNull()
  })

  it('have details that are printed as a receipt', async () => {
    const print = vi.fn()
    vi.stubGlobal('print', print)
    stubApi({ ...ANSWERS, [LIST]: listed(order(), ready({ _id: 'o-2', name: 'Open pack' })) })
    renderApp(tab)
    await userEvent.click((await rowOf('Small pack')).getByRole('button', { name: 'Details' }))
    const receipt = within(await screen.findByRole('dialog', { name: 'Receipt' }))
    expect(receipt.getByText('order-1')).toBeTruthy()
    expect(await receipt.findByText('Green Studio')).toBeTruthy()
    expect(await receipt.findByText('mira@example.com')).toBeTruthy()
    expect(receipt.getByText('Test provider')).toBeTruthy()
    await userEvent.click(receipt.getByRole('button', { name: 'Print receipt' }))
    expect(print).toHaveBeenCalledTimes(1)
    await userEvent.click(receipt.getByRole('button', { name: 'Close' }))
    await userEvent.click((await rowOf('Open pack')).getByRole('button', { name: 'Details' }))
    const details = within(await screen.findByRole('dialog', { name: 'Order details' }))
    expect(details.queryByRole('button', { name: 'Print receipt' })).toBeNull()
  })

  it('are canceled by one press', async () => {
    let shown = ready()
    const requests = stubApi({
      ...ANSWERS,
      [LIST]: () => listed(shown),
      [CANCEL]: () => {
        shown = ready({ status: 'Canceled', payAt: null })
        return { body: shown }
      },
    })
    renderApp(tab)
    await userEvent.dblClick((await rowOf('Small pack')).getByRole('button', { name: 'Cancel order' }))
    expect(await screen.findByText('Canceled')).toBeTruthy()
    expect(screen.getByText('The order was canceled')).toBeTruthy()
    expect(sent(requests, CANCEL)).toHaveLength(1)
  })

  it('are refunded after a question, and refresh the credits', async () => {
    let shown = order()
    const requests = stubApi({
      ...ANSWERS,
      [LIST]: () => listed(shown),
      [REFUND]: () => {
        shown = order({ status: 'Refunded', refundedAmount: 699, refundedCredits: 10_000, refundableUntil: null })
        return { body: shown }
      },
    })
    const client = createQueryClient()
    client.setQueryData(keys.credits.balance, { available: 1 })
    renderApp(tab, { client })
    await userEvent.click((await rowOf('Small pack')).getByRole('button', { name: 'Refund' }))
    const question = within(await screen.findByRole('dialog', { name: 'Refund “Small pack”?' }))
    expect(question.getByText(/You get \$6\.99 back, and the 10,000 credits of this order are taken back/)).toBeTruthy()
    expect(sent(requests, REFUND)).toHaveLength(0)
    await userEvent.click(question.getByRole('button', { name: 'Refund order' }))
    expect(await screen.findByText('Refunded')).toBeTruthy()
    expect(client.getQueryState(keys.credits.balance)?.isInvalidated).toBe(true)
  })

  it.each([
    ['Used', 'Some credits of this order are used'],
    ['TooLate', 'The 7 days in which you can ask for a refund are over'],
    ['NotPaid', 'This order is not paid'],
    ['SomethingNew', 'This order cannot be refunded.'],
  ])('say why they are not refunded: %s', async (why, words) => {
    const body = { code: 'ORDER_NOT_REFUNDABLE', message: 'no', details: { why } }
    stubApi({ ...ANSWERS, [LIST]: listed(order()), [REFUND]: { status: 409, body } })
    renderApp(tab)
    await userEvent.click((await rowOf('Small pack')).getByRole('button', { name: 'Refund' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Refund order' }))
    expect(await screen.findByText(new RegExp(`^The order could not be refunded: ${words}`))).toBeTruthy()
  })
})

describe('a buyer who comes back', () => {
  it('sees the credits, which are refreshed, and a tidy address', async () => {
    const requests = stubApi({ ...ANSWERS, [LIST]: listed(order()), [COMPLETE]: { body: order() } })
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user())
    client.setQueryData(keys.credits.balance, { available: 1 })
    const { router } = renderApp(tab, { ...BACK, client })
    expect(await screen.findByText('10,000 credits were added')).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toBe('?tab=orders'))
    expect(screen.getByText('10,000 credits were added')).toBeTruthy()
    expect(client.getQueryState(keys.credits.balance)?.isInvalidated).toBe(true)
    expect(client.getQueryState(userQuery().queryKey)?.isInvalidated).toBe(true)
    expect(sent(requests, COMPLETE)).toHaveLength(1)
    expect(sent(requests, ONE)).toHaveLength(0)
  })

  it.each([
    ['INVALID_STOPPED_CARD', 'This card is blocked. Use another card, or ask the card company. You can choose'],
    ['SOMETHING_NEW', 'The payment was declined. Use another card, or ask your bank. You can choose'],
  ])('reads why the card was declined: %s', async (reason, words) => {
    const declineReason = reason as Order['declineReason']
    const failed = ready({ status: 'Failed', failure: 'DECLINED', declineReason, payAt: null })
    stubApi({ ...ANSWERS, [LIST]: listed(failed), [COMPLETE]: { body: failed } })
    renderApp(tab, BACK)
    expect((await screen.findByRole('alert')).textContent).toContain(words)
  })

  it('reads why nothing was bought, and what to do next', async () => {
    const failed = ready({ status: 'Failed', failure: 'DECLINED', payAt: null })
    stubApi({ ...ANSWERS, [LIST]: listed(failed), [COMPLETE]: { body: failed } })
    const { router } = renderApp(tab, BACK)
    expect((await screen.findByRole('alert')).textContent).toContain(
      'The payment was declined. Use another card, or ask your bank. You can choose a pack again.',
    )
    expect(screen.getByRole('link', { name: 'Back to the credit packs' }).getAttribute('href')).toBe('/pricing')
    await waitFor(() => expect(router.state.location.search).toBe('?tab=orders'))
  })

  it('can go on with a payment that was not approved', async () => {
    stubApi({ ...ANSWERS, [LIST]: listed(), [COMPLETE]: { body: ready() } })
    const { router } = renderApp(tab, BACK)
    expect(await screen.findByText('The payment is not complete yet. Nothing was charged.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Continue to payment' })).toBeTruthy()
    expect(router.state.location.search).toBe('?tab=orders&order=order-1')
  })

  it('after a cancel completes nothing, and may cancel the order', async () => {
    let shown = ready()
    const requests = stubApi({
      ...ANSWERS,
      [LIST]: listed(),
      [ONE]: () => ({ body: shown }),
      [CANCEL]: () => {
        shown = ready({ status: 'Canceled', payAt: null })
        return { body: shown }
      },
    })
    const { router } = renderApp(tab, { path: '/account?tab=orders&order=order-1&canceled=1' })
    expect(await screen.findByText(/^The payment was not made/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Continue to payment' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel order' }))
    expect(await screen.findByText('The order was canceled. Nothing was charged.')).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toBe('?tab=orders'))
    expect(sent(requests, COMPLETE)).toHaveLength(0)
  })

  it('can ask again if the server does not answer', async () => {
    let fails = true
    const refusal = { status: 500, body: { code: 'INTERNAL', message: 'x' } }
    stubApi({ ...ANSWERS, [LIST]: listed(), [COMPLETE]: () => (fails ? refusal : { body: order() }) })
    renderApp(tab, BACK)
    const again = await screen.findByRole('button', { name: 'Ask again' })
    expect(screen.getByText(/Nothing is lost/)).toBeTruthy()
    fails = false
    await userEvent.click(again)
    expect(await screen.findByText('10,000 credits were added')).toBeTruthy()
  })

  it('of an unknown order is told so, and the address forgets it', async () => {
    stubApi({ ...ANSWERS, [LIST]: listed(), [COMPLETE]: { status: 404, body: { code: 'NOT_FOUND', message: 'no' } } })
    const { router } = renderApp(tab, BACK)
    expect(await screen.findByText(/^This order does not exist/)).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toBe('?tab=orders'))
  })
})

describe('a payment without an answer', () => {
  /** Lets the page ask for this long. */
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

  it('is asked for until it is settled', async () => {
    vi.useFakeTimers()
    let shown = settling
    const requests = stubApi({
      ...ANSWERS,
      [LIST]: listed(),
      [COMPLETE]: { body: settling },
      [ONE]: () => ({ body: shown }),
    })
    renderApp(tab, BACK)
    await wait(100)
    expect(screen.getByText('We are asking the payment provider…')).toBeTruthy()
    await wait(5000)
    expect(sent(requests, ONE).length).toBeGreaterThan(0)
    shown = order()
    await wait(10_000)
    expect(screen.getByText('10,000 credits were added')).toBeTruthy()
    const asked = sent(requests, ONE).length
    await wait(60_000)
    expect(sent(requests, ONE)).toHaveLength(asked)
    expect(sent(requests, COMPLETE)).toHaveLength(1)
  })

  it('is not asked for after two minutes: the page says that nothing is lost', async () => {
    vi.useFakeTimers()
    const requests = stubApi({
      ...ANSWERS,
      [LIST]: listed(),
      [COMPLETE]: { body: settling },
      [ONE]: { body: settling },
    })
    const { router } = renderApp(tab, BACK)
    await wait(ASKING_MS + 1000)
    expect(screen.getByText(/Nothing is lost: you can close this page/)).toBeTruthy()
    const asked = sent(requests, ONE).length
    expect(asked).toBeGreaterThan(10)
    expect(asked).toBeLessThan(60)
    await wait(60_000)
    expect(sent(requests, ONE)).toHaveLength(asked)
    // A reload asks again.
    expect(router.state.location.search).toBe('?tab=orders&order=order-1')
  })
})
