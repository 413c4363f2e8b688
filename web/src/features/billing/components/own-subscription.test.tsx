import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Subscription } from '@/shared/api/types'
import { planItem, planOrder, subscription, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { ASKING_MS } from '../orders-model'
import OwnSubscription from './own-subscription'

const GET = 'GET /api/general/subscription'
const CANCEL = 'POST /api/general/subscription/cancel'
const RESUME = 'POST /api/general/subscription/resume'
const RETRY = 'POST /api/general/subscription/retry'
const PUT = 'PUT /api/general/subscription/plan'
const own = (one: Subscription | null) => ({
  'GET /api/auth': { body: user() },
  'GET /api/public/item': {
    body: {
      items: [planItem()],
      buying: { isTest: true, currencies: ['USD'] },
    },
  },
  [GET]: { body: { subscription: one } },
})
const part = <OwnSubscription />
const panel = async () => within(await screen.findByRole('region', { name: 'Pro subscription' }))
const sent = (requests: ReturnType<typeof stubApi>) => requests.filter(({ method }) => method !== 'GET')

describe('the subscription', () => {
  it('shows price, next billing date and card', async () => {
    stubApi(own(subscription()))
    renderApp(part)
    const one = await panel()
    expect(one.getByText('Active')).toBeTruthy()
    expect(one.getByText('$9.90')).toBeTruthy()
    expect(one.getByText('2026.12.20, $9.90')).toBeTruthy()
    expect(one.getByText('Test 4330-12**-****-1234')).toBeTruthy()
    expect(one.getByRole('link', { name: 'Change plan' }).getAttribute('href')).toBe('/pricing')
  })

  it('leads to the plans while there is none', async () => {
    stubApi(own(null))
    renderApp(part)
    expect(await screen.findByText('No subscription')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See plans and prices' }).getAttribute('href')).toBe('/pricing')
  })

  it('can be loaded again', async () => {
    let isBroken = true
    stubApi({
      ...own(null),
      [GET]: () =>
        isBroken
          ? { status: 500, body: { code: 'INTERNAL', message: 'x' } }
          : { body: { subscription: subscription() } },
    })
    renderApp(part)
    const again = await screen.findByRole('button', { name: 'Try Again' })
    isBroken = false
    await userEvent.click(again)
    expect(await panel()).toBeTruthy()
  })

  it.each([
    [{ isCanceled: true }, /^Ends on 2026\.12\.20/, /^You can use the plan until 2026\.12\.20/],
    [
      {
        status: 'PastDue',
        tries: 2,
        nextTryAt: '2026-12-22T08:00:00Z',
        order: planOrder({ status: 'Failed', failure: 'DECLINED' }),
      },
      /^Payment failed/,
      /^Next try on 2026\.12\.22 \(2 of 3 failed\)/,
    ],
    [
      { status: 'Ended', endReason: 'PaymentFailed', endedAt: '2026-12-25T08:00:00Z' },
      /^Ended on 2026\.12\.25/,
      /^It ended because the payment failed/,
    ],
    [{ status: 'Pending' }, /^Payment in progress/, /^The payment is under way/],
  ] as [Partial<Subscription>, RegExp, RegExp][])('says what its state means: %o', async (change, state, meaning) => {
    stubApi(own(subscription(change)))
    renderApp(part)
    const one = await panel()
    expect(one.getByText(state)).toBeTruthy()
    expect(one.getByText(meaning)).toBeTruthy()
  })
})

describe('canceling', () => {
  it('asks first, then stops the recurring payment once', async () => {
    const requests = stubApi({ ...own(subscription()), [CANCEL]: { body: subscription({ isCanceled: true }) } })
    renderApp(part)
    await userEvent.click((await panel()).getByRole('button', { name: 'Cancel subscription' }))
    const question = within(await screen.findByRole('dialog', { name: 'Cancel the Pro subscription?' }))
    expect(question.getByText(/^You can use Pro until 2026\.12\.20.*stops at once.*you pay again/)).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'Keep subscription' }))
    expect(sent(requests)).toEqual([])
    await userEvent.click((await panel()).getByRole('button', { name: 'Cancel subscription' }))
    await userEvent.dblClick(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel subscription' }),
    )
    expect(await screen.findByText('The subscription was canceled')).toBeTruthy()
    expect(sent(requests)).toHaveLength(1)
    expect((await panel()).getByRole('button', { name: 'Resume subscription' })).toBeTruthy()
  })

  it('says why it did not work', async () => {
    const refusal = { status: 409, body: { code: 'SUBSCRIPTION_NOT_CHANGEABLE', message: 'no' } }
    stubApi({ ...own(subscription()), [CANCEL]: refusal })
    renderApp(part)
    await userEvent.click((await panel()).getByRole('button', { name: 'Cancel subscription' }))
    await userEvent.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel subscription' }),
    )
    expect(await screen.findByText(/^The subscription could not be canceled: The subscription cannot be/)).toBeTruthy()
  })

  it('is taken back by resuming', async () => {
    const requests = stubApi({ ...own(subscription({ isCanceled: true })), [RESUME]: { body: subscription() } })
    renderApp(part)
    await userEvent.dblClick((await panel()).getByRole('button', { name: 'Resume subscription' }))
    expect(await screen.findByText('The subscription was resumed')).toBeTruthy()
    expect((await panel()).getByText('Active')).toBeTruthy()
    expect(sent(requests)).toHaveLength(1)
  })
})

describe('a failed payment', () => {
  const failed = planOrder({ status: 'Failed', failure: 'DECLINED' })
  const pastDue = subscription({ status: 'PastDue', tries: 1, nextTryAt: '2026-12-22T08:00:00Z', order: failed })

  it.each([
    [subscription(), 'The payment succeeded'],
    [{ ...pastDue, tries: 2 }, /^The payment failed: The payment was declined/],
  ])('is tried again', async (answer, words) => {
    const requests = stubApi({ ...own(pastDue), [RETRY]: { body: answer } })
    renderApp(part)
    const one = await panel()
    expect(one.getByRole('link', { name: 'Your payment methods' }).getAttribute('href')).toBe('/account?tab=payment')
    await userEvent.dblClick(one.getByRole('button', { name: 'Try the payment again' }))
    expect(await screen.findByText(words)).toBeTruthy()
    expect(sent(requests)).toHaveLength(1)
  })
})

it('a planned change is taken back by keeping the plan', async () => {
  const requests = stubApi({
    ...own(subscription({ nextPlan: 'Basic', nextAmount: 490 })),
    'GET /api/general/subscription/change': { body: { amount: 0 } },
    [PUT]: { body: subscription() },
  })
  renderApp(part)
  const one = await panel()
  expect(one.getByText('Basic starts on 2026.12.20 for $4.90 a month.')).toBeTruthy()
  await userEvent.dblClick(await one.findByRole('button', { name: 'Keep Pro' }))
  expect(await screen.findByText('You stay on Pro')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep Pro' })).toBeNull())
  expect(sent(requests).map(({ body }) => body)).toEqual([{ itemId: 'plan-pro', amount: 0 }])
})

describe('a payment without an answer', () => {
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  const asked = (requests: ReturnType<typeof stubApi>) =>
    requests.filter(({ method, path }) => `${method} ${path}` === GET).length
  const pending = subscription({ status: 'Pending', order: planOrder({ status: 'Ready', isSettling: true }) })

  it('is asked for until it is settled', async () => {
    vi.useFakeTimers()
    let shown = pending
    const requests = stubApi({ ...own(null), [GET]: () => ({ body: { subscription: shown } }) })
    renderApp(part)
    await wait(100)
    expect(screen.getByText('Payment in progress')).toBeTruthy()
    await wait(5000)
    expect(asked(requests)).toBeGreaterThan(2)
    shown = subscription()
    await wait(10_000)
    expect(screen.getByText('Active')).toBeTruthy()
    const before = asked(requests)
    await wait(60_000)
    expect(asked(requests)).toBe(before)
  })

  it('is not asked for after two minutes: the page says that nothing is lost', async () => {
    vi.useFakeTimers()
    const requests = stubApi(own(pending))
    renderApp(part)
    await wait(100)
    await wait(ASKING_MS + 1000)
    expect(screen.getByText(/Nothing is lost: you can close this page/)).toBeTruthy()
    const before = asked(requests)
    expect(before).toBeGreaterThan(10)
    expect(before).toBeLessThan(60)
    await wait(60_000)
    expect(asked(requests)).toBe(before)
  })
})

describe('a plan that PayPal charges', () => {
  const COMPLETE = 'POST /api/general/subscription/complete'
  const payAt = 'https://paypal.example/approve/I-1'
  const paid = subscription({ paidWith: 'PayPal', method: null })
  const pending = subscription({ status: 'Pending', paidWith: 'PayPal', payAt, method: null, order: null })

  it('shows how it is paid, the next billing date and only the cancellation', async () => {
    stubApi(own(paid))
    renderApp(part)
    const one = await panel()
    expect(one.getByText('PayPal')).toBeTruthy()
    expect(one.getByText('2026.12.20, $9.90')).toBeTruthy()
    expect(one.queryByText('None. Add a card before that day.')).toBeNull()
    expect(one.getAllByRole('button').map((button) => button.textContent)).toEqual(['Cancel subscription'])
    expect(one.queryByRole('link', { name: 'Change plan' })).toBeNull()
  })

  it('leads to its agreement at the test provider', async () => {
    stubApi(own({ ...paid, testPage: 'http://site.example/test-agreement/1' }))
    renderApp(part)
    const link = (await panel()).getByRole('link', { name: 'Open the test agreement' })
    expect(link.getAttribute('href')).toBe('http://site.example/test-agreement/1')
  })

  it('is not resumed after a cancellation, and says how to go on', async () => {
    stubApi(own({ ...paid, isCanceled: true }))
    renderApp(part)
    const one = await panel()
    expect(one.getByText(/subscribe again when the plan has ended\.$/)).toBeTruthy()
    expect(one.queryByRole('button')).toBeNull()
  })

  it('is tried again by PayPal after a failed payment', async () => {
    stubApi(own({ ...paid, status: 'PastDue', tries: 1 }))
    renderApp(part)
    const one = await panel()
    expect(one.getByText(/^PayPal could not take the payment/)).toBeTruthy()
    expect(one.queryByRole('button', { name: 'Try the payment again' })).toBeNull()
  })

  it('can be approved later or given up', async () => {
    const leave = vi.fn()
    vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
    const ended = subscription({ status: 'Ended', endReason: 'Canceled', endedAt: '2026-12-01T08:00:00Z' })
    const requests = stubApi({ ...own(pending), [CANCEL]: { body: ended } })
    renderApp(part, { path: '/account?tab=subscription&paypal=canceled' })
    const one = await panel()
    expect(screen.getByText(/^You have not approved the plan/)).toBeTruthy()
    expect(one.getByText('Waiting for PayPal')).toBeTruthy()
    await userEvent.click(one.getByRole('button', { name: 'Approve at PayPal' }))
    expect(leave).toHaveBeenCalledWith(payAt)
    await userEvent.click(one.getByRole('button', { name: 'Cancel subscription' }))
    const question = within(await screen.findByRole('dialog'))
    expect(question.getByText(/^PayPal charges nothing for it/)).toBeTruthy()
    await userEvent.click(question.getByRole('button', { name: 'Cancel subscription' }))
    expect(await screen.findByText('The subscription was canceled')).toBeTruthy()
    expect(sent(requests)).toHaveLength(1)
    vi.unstubAllGlobals()
  })

  it('is asked for once after the return from PayPal', async () => {
    const requests = stubApi({ ...own(pending), [COMPLETE]: { body: paid } })
    const { router } = renderApp(part, { path: '/account?tab=subscription&paypal=returned' })
    expect(await (await panel()).findByText('Active')).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toBe('?tab=subscription'))
    expect(sent(requests)).toHaveLength(1)
  })

  it('is asked for again if that did not work', async () => {
    let isBroken = true
    stubApi({
      ...own(pending),
      [COMPLETE]: () => (isBroken ? { status: 500, body: { code: 'INTERNAL', message: 'x' } } : { body: paid }),
    })
    renderApp(part, { path: '/account?tab=subscription&paypal=returned' })
    const again = await screen.findByRole('button', { name: 'Ask again' })
    isBroken = false
    await userEvent.click(again)
    expect(await (await panel()).findByText('Active')).toBeTruthy()
  })
})
