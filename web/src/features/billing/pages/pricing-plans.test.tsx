import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { PaymentMethod, Shop, Subscription } from '@/shared/api/types'
import { local } from '@/shared/lib/storage'
import { paymentMethod, planItem, planOrder, subscription, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { goingOn } from '../going-on'
import PricingPage from './pricing-page'

const SUBSCRIBE = 'POST /api/general/subscription'
const CHANGE = 'GET /api/general/subscription/change'
const PUT = 'PUT /api/general/subscription/plan'
const OPEN = 'POST /api/general/payment-method'
const plan = (name: string, monthlyCredits: number) => ({
  name,
  monthlyCredits,
  weight: 1,
  pools: [],
  maxRunSeconds: 600,
  maxQueuedJobs: 10,
  storageBytes: 2 ** 30,
  stealthMode: false,
})
const basic = planItem({ _id: 'plan-basic', name: 'Basic monthly', plan: 'Basic', prices: { KRW: 6900, USD: 490 } })
const shop = (change: Partial<Shop> = {}) => ({
  'GET /api/public/promotion': { body: { banner: null, firstPurchasePercent: null } },
  'GET /api/public/item': {
    body: {
      items: [basic, planItem()],
      buying: { isTest: true, currencies: ['KRW', 'USD'] },
      ...change,
    },
  },
})
const ANSWERS = {
  'GET /api/public/plan': { body: { items: [plan('Free', 6000), plan('Basic', 20_000), plan('Pro', 60_000)] } },
  'GET /api/public/operator': { body: { name: 'Green Studio', email: 'help@example.com' } },
  'GET /api/public/mini-app': { body: { items: [], nextCursor: null } },
}
const as = (own: Subscription | null, name = own?.plan ?? 'Free') => ({
  ...ANSWERS,
  'GET /api/auth': { body: user({ subscriptions: [{ name }] }) },
  'GET /api/general/subscription': { body: { subscription: own } },
})
const cards = (...methods: PaymentMethod[]) => ({
  'GET /api/general/payment-method': { body: { methods, hasCardForm: false } },
})
const page = (
  <LoginDialogProvider>
    <PricingPage />
  </LoginDialogProvider>
)
const cardOf = async (name: string) =>
  within((await screen.findByRole('heading', { name, level: 2 })).closest('li') as HTMLElement)
const writes = (requests: ReturnType<typeof stubApi>) =>
  requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)
const leave = vi.fn()
beforeEach(() => {
  leave.mockClear()
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
})

async function openDialog(name: string) {
  await userEvent.click(await screen.findByRole('button', { name }))
  const dialog = within(await screen.findByRole('dialog', { name }))
  await waitFor(() => expect(dialog.getAllByRole('button').length).toBeGreaterThan(1))
  return dialog
}

describe('the plans', () => {
  it('have no button before it is known what a signed-in visitor can do', async () => {
    local.set('vg.signedIn', 'yes')
    let answer: (own: { body: object }) => void = () => undefined
    const own = new Promise<{ body: object }>((resolve) => {
      answer = resolve
    })
    const { 'GET /api/auth': session, ...others } = as(null)
    stubApi({ ...others, ...shop(), 'GET /api/auth': () => own })
    renderApp(page)
    expect(await (await cardOf('Basic')).findByText(/4\.90/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Subscribe to Basic' })).toBeNull()
    answer(session)
    expect(await screen.findByRole('button', { name: 'Subscribe to Basic' })).toBeTruthy()
  })

  it('have a price in the currency of the country', async () => {
    stubApi({ ...as(null), ...shop() })
    renderApp(page)
    const pro = await cardOf('Pro')
    expect(await pro.findByText('$9.90 a month')).toBeTruthy()
    expect(await pro.findByRole('button', { name: 'Subscribe to Pro' })).toBeTruthy()
    expect((await cardOf('Free')).queryByRole('button')).toBeNull()
    expect(screen.queryByText(/Plans cannot be bought here/)).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Republic of Korea' }))
    expect(pro.getByText('₩12,900 a month')).toBeTruthy()
  })

  it('say why they cannot be bought', async () => {
    const items = [basic, planItem({ prices: { KRW: 12_900, USD: null } })]
    stubApi({
      ...as(null),
      ...shop({ items, buying: { isTest: false, currencies: ['USD'] } }),
    })
    renderApp(page)
    expect(await (await cardOf('Pro')).findByText('Not sold in USD.')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Republic of Korea' }))
    expect(screen.getAllByText('Plans cannot be paid in KRW on this installation.')).toHaveLength(2)
    expect(screen.queryByRole('button', { name: /^Subscribe/ })).toBeNull()
  })

  it('ask guests to sign in', async () => {
    stubApi({
      ...ANSWERS,
      ...shop(),
      'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
      'GET /api/public/sign-in-options': { body: { google: false, discord: false } },
    })
    renderApp(page)
    await userEvent.click(await screen.findByRole('button', { name: 'Subscribe to Pro' }))
    expect(await screen.findByLabelText('E-mail')).toBeTruthy()
  })

  it('show the own one, the planned one and what can be changed', async () => {
    stubApi({ ...as(subscription({ nextPlan: 'Basic' })), ...shop() })
    renderApp(page)
    expect(await (await cardOf('Basic')).findByText(/^Starts on 2026\.12\.20/)).toBeTruthy()
    const pro = await cardOf('Pro')
    expect(pro.getByText('Your plan')).toBeTruthy()
    expect(pro.queryByRole('button')).toBeNull()
  })

  it('cannot be changed while the subscription ends', async () => {
    stubApi({ ...as(subscription({ isCanceled: true })), ...shop() })
    renderApp(page)
    expect(await screen.findByText(/Your plan cannot be changed right now/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Your subscription' }).getAttribute('href')).toBe(
      '/account?tab=subscription',
    )
    expect(screen.queryByRole('button', { name: /^Switch/ })).toBeNull()
  })
})

it('a plan that PayPal charges is not changed, and its page says what to do', async () => {
  stubApi({ ...as(subscription({ paidWith: 'PayPal', method: null })), ...shop() })
  renderApp(page)
  expect(await screen.findByText(/^PayPal charges your plan, so it cannot be changed here/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: /^Switch/ })).toBeNull()
})

it('a plan that waits for approval at PayPal is not said to be charged', async () => {
  stubApi({ ...as(subscription({ status: 'Pending', paidWith: 'PayPal', method: null })), ...shop() })
  renderApp(page)
  expect(await screen.findByText(/^A plan is waiting for your approval at PayPal/)).toBeTruthy()
  expect(screen.queryByText(/^PayPal charges your plan/)).toBeNull()
})

describe('subscribing', () => {
  const saved = paymentMethod({ currency: 'KRW' })
  beforeEach(() => local.set('vg.country', 'KR'))

  it('needs consent, charges the card once, and says what was added', async () => {
    const requests = stubApi({
      ...as(null),
      ...shop(),
      ...cards(saved),
      [SUBSCRIBE]: { body: subscription() },
    })
    const { router } = renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    expect(router.state.location.search).toBe('?plan=Pro')
    expect(dialog.getByText('₩12,900')).toBeTruthy()
    expect(dialog.getByText('60,000 credits')).toBeTruthy()
    expect(dialog.getByText('Test 4330-12**-****-1234')).toBeTruthy()
    const send = dialog.getByRole('button', { name: 'Subscribe and pay' })
    await userEvent.click(send)
    expect(dialog.getByRole('alert').textContent).toBe('Please agree to the required terms and conditions.')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.dblClick(send)
    expect(await dialog.findByText('You are on Pro now. 60,000 credits were added.')).toBeTruthy()
    expect(writes(requests)).toEqual([{ itemId: 'plan-pro', country: 'KR', amount: 12_900, isAgreed: true }])
    await userEvent.click(dialog.getByRole('button', { name: 'Done' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(router.state.location.search).toBe('')
  })

  it('with PayPal needs consent and no card, and leaves for the approval once', async () => {
    local.set('vg.country', 'Other')
    const payAt = 'https://paypal.example/approve/I-1'
    const requests = stubApi({
      ...as(null),
      ...shop({ buying: { isTest: false, currencies: ['KRW', 'USD'] } }),
      ...cards(),
      [SUBSCRIBE]: { body: subscription({ status: 'Pending', paidWith: 'PayPal', payAt, method: null, order: null }) },
    })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    expect(dialog.getByText(/^You approve the plan at PayPal/)).toBeTruthy()
    expect(dialog.queryByRole('button', { name: 'Add a card' })).toBeNull()
    const send = dialog.getByRole('button', { name: 'Continue to PayPal' })
    await userEvent.click(send)
    expect(dialog.getByRole('alert').textContent).toBe('Please agree to the required terms and conditions.')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.dblClick(send)
    await waitFor(() => expect(leave).toHaveBeenCalledWith(payAt))
    expect(writes(requests)).toEqual([{ itemId: 'plan-pro', country: 'Other', amount: 990, isAgreed: true }])
  })

  it('without a card leads to the window of the provider, and comes back', async () => {
    const opened = { _id: 'card-9', page: '/test-card/card-9', toss: null, hasCardForm: false }
    const requests = stubApi({ ...as(null), ...shop(), ...cards(), [OPEN]: { body: opened } })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    await userEvent.click(dialog.getByRole('button', { name: 'Add a card' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/test-card/card-9'))
    expect(writes(requests)).toEqual([{ country: 'KR' }])
    expect(goingOn()).toEqual({ path: '/pricing?plan=Pro', isDefault: false })
  })

  it('opens again for a person who comes back', async () => {
    stubApi({ ...as(null), ...shop(), ...cards(saved) })
    renderApp(page, { path: '/pricing?plan=Pro' })
    expect(await screen.findByRole('dialog', { name: 'Subscribe to Pro' })).toBeTruthy()
  })

  it('charges another card once it is the default', async () => {
    let methods = [saved, { ...saved, _id: 'card-2', label: '9999-99**-****-9999', isDefault: false }]
    const requests = stubApi({
      ...as(null),
      ...shop(),
      'GET /api/general/payment-method': () => ({ body: { methods, hasCardForm: false } }),
      'PUT /api/general/payment-method/card-2/default': () => {
        methods = methods.toReversed()
        return { body: methods[0] }
      },
    })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    const card = await dialog.findByLabelText<HTMLSelectElement>('Card that will be charged')
    await userEvent.selectOptions(card, 'Test 9999-99**-****-9999')
    await waitFor(() => expect(card.value).toBe('card-2'))
    await waitFor(() => expect(card.disabled).toBe(false))
    expect(requests.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  it('shows a new price and asks again', async () => {
    let price = 12_900
    const requests = stubApi({
      ...as(null),
      ...shop(),
      ...cards(saved),
      [SUBSCRIBE]: () =>
        price === 13_900
          ? { body: subscription() }
          : { status: 409, body: { code: 'PRICE_CHANGED', message: 'no', details: { amount: 13_900 } } },
    })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Subscribe and pay' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('The price has changed.')
    expect(dialog.getByText('₩13,900')).toBeTruthy()
    price = 13_900
    await userEvent.click(dialog.getByRole('button', { name: 'Subscribe and pay' }))
    expect(await dialog.findByText(/^You are on Pro now/)).toBeTruthy()
    expect(writes(requests)).toMatchObject([{ amount: 12_900 }, { amount: 13_900 }])
  })

  it.each([
    ['SUBSCRIPTION_EXISTS', 'You already have a subscription.'],
    ['PLAN_NOT_BETTER', 'Your plan already includes'],
    ['NO_PAYMENT_METHOD', 'There is no card'],
    ['BUYING_NOT_SET_UP', 'Buying in this currency is not set up'],
  ])('shows the refusal %s', async (code, words) => {
    stubApi({
      ...as(null),
      ...shop(),
      ...cards(saved),
      [SUBSCRIBE]: { status: 409, body: { code, message: 'no' } },
    })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Subscribe and pay' }))
    expect((await dialog.findByRole('alert')).textContent).toContain(words)
  })

  it('says what to do if the card is declined', async () => {
    const failed = planOrder({ status: 'Failed', failure: 'DECLINED' })
    const declined = subscription({ status: 'Ended', endReason: 'Declined', order: failed })
    stubApi({ ...as(null), ...shop(), ...cards(saved), [SUBSCRIBE]: { body: declined } })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Subscribe and pay' }))
    expect((await dialog.findByRole('alert')).textContent).toContain('The payment was declined. Use another card')
    await userEvent.click(dialog.getByRole('button', { name: 'Try again' }))
    expect(await dialog.findByRole('button', { name: 'Use another card' })).toBeTruthy()
  })

  it('asks for the result while the payment is under way', async () => {
    let own: Subscription | null = null
    const pending = subscription({ status: 'Pending', order: planOrder({ status: 'Ready', isSettling: true }) })
    stubApi({
      ...as(null),
      ...shop(),
      ...cards(saved),
      'GET /api/general/subscription': () => ({ body: { subscription: own } }),
      [SUBSCRIBE]: () => {
        own = subscription()
        return { body: pending }
      },
    })
    renderApp(page)
    const dialog = await openDialog('Subscribe to Pro')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Subscribe and pay' }))
    expect(await dialog.findByText('You are on Pro now. 60,000 credits were added.')).toBeTruthy()
  })
})

describe('a change of the plan', () => {
  const own = subscription({ plan: 'Basic', amount: 490, order: planOrder({ plan: 'Basic', amount: 490 }) })
  const now = {
    plan: 'Pro',
    when: 'Now',
    amount: 250,
    currency: 'USD',
    credits: 20_000,
    daysLeft: 15,
    daysOfPeriod: 30,
    // A change of today begins today. The next payment is at the end of the period.
    at: '2026-12-05T08:00:00Z',
    nextAmount: 990,
  }

  it('to a larger one pays the shown difference today', async () => {
    const requests = stubApi({
      ...as(own),
      ...shop(),
      [CHANGE]: { body: now },
      [PUT]: { body: subscription({ order: planOrder({ isChange: true, amount: 250, credits: 20_000 }) }) },
    })
    renderApp(page)
    const dialog = await openDialog('Switch to Pro')
    expect(await dialog.findByText('$2.50')).toBeTruthy()
    expect(dialog.getByText('20,000 credits')).toBeTruthy()
    expect(dialog.getByText('2026.12.20, $9.90')).toBeTruthy()
    expect(dialog.getByText(/^15 of 30 days of your period are left/)).toBeTruthy()
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Switch and pay $2.50' }))
    expect(await dialog.findByText('You are on Pro now. 20,000 credits were added.')).toBeTruthy()
    expect(writes(requests)).toEqual([{ itemId: 'plan-pro', amount: 250 }])
  })

  it('to a smaller one is planned, and nothing is paid', async () => {
    const later = {
      ...now,
      plan: 'Basic',
      when: 'AtPeriodEnd',
      amount: 0,
      credits: 0,
      at: own.periodUntil,
      nextAmount: 490,
    }
    stubApi({
      ...as(subscription()),
      ...shop(),
      [CHANGE]: { body: later },
      [PUT]: { body: subscription({ nextPlan: 'Basic', nextAmount: 490 }) },
    })
    renderApp(page)
    const dialog = await openDialog('Switch to Basic')
    expect(await dialog.findByText('Nothing is paid today. Basic starts on 2026.12.20.')).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Plan the change' }))
    expect(await dialog.findByText('Basic starts on 2026.12.20.')).toBeTruthy()
  })

  it('that is declined leaves the plan as it is', async () => {
    const order = planOrder({ status: 'Failed', failure: 'DECLINED', isChange: true })
    stubApi({ ...as(own), ...shop(), [CHANGE]: { body: now }, [PUT]: { body: { ...own, order } } })
    renderApp(page)
    const dialog = await openDialog('Switch to Pro')
    await userEvent.click(await dialog.findByRole('button', { name: /^Switch and pay/ }))
    expect((await dialog.findByRole('alert')).textContent).toContain('You stay on Basic.')
  })

  it('leads to the cards if none can be charged', async () => {
    const refusal = { status: 409, body: { code: 'NO_PAYMENT_METHOD', message: 'no' } }
    stubApi({ ...as({ ...own, method: null }), ...shop(), [CHANGE]: { body: now }, [PUT]: refusal })
    renderApp(page)
    const dialog = await openDialog('Switch to Pro')
    await userEvent.click(await dialog.findByRole('button', { name: /^Switch and pay/ }))
    expect((await dialog.findByRole('link', { name: 'Add a card' })).getAttribute('href')).toBe('/account?tab=payment')
  })

  it('with a new price asks again', async () => {
    const body = { code: 'PRICE_CHANGED', message: 'no', details: { amount: 300 } }
    stubApi({ ...as(own), ...shop(), [CHANGE]: { body: now }, [PUT]: { status: 409, body } })
    renderApp(page)
    const dialog = await openDialog('Switch to Pro')
    await userEvent.click(await dialog.findByRole('button', { name: 'Switch and pay $2.50' }))
    expect(await dialog.findByRole('button', { name: 'Switch and pay $3.00' })).toBeTruthy()
    expect(dialog.getByRole('alert').textContent).toContain('The price has changed.')
  })
})
