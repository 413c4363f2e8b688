import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { Shop } from '@/shared/api/types'
import { item, order, planItem, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useCountry } from '../use-country'
import { CountryChoice } from './country-field'
import { CreditPacks } from './credit-packs'

const BUY = 'POST /api/general/order'
const PAY_AT = 'https://pay.example/checkout/1'
const NO_PROMOTION = { banner: null, firstPurchasePercent: null as number | null }
const shop = (change: Partial<Shop> = {}, promotions = NO_PROMOTION) => ({
  'GET /api/public/promotion': { body: promotions },
  'GET /api/public/item': {
    body: { items: [item()], buying: { isTest: true, currencies: ['KRW', 'USD'] }, ...change },
  },
})
const SIGNED_IN = { 'GET /api/auth': { body: user() } }
const GUEST = { 'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } } }
const ORDERED = { [BUY]: { status: 201, body: order({ status: 'Ready', payAt: PAY_AT, paidAt: null }) } }
function Packs() {
  const [country, onCountry] = useCountry()
  return (
    <LoginDialogProvider>
      <CountryChoice country={country} onCountry={onCountry} />
      <CreditPacks country={country} onCountry={onCountry} />
    </LoginDialogProvider>
  )
}
const packs = <Packs />
const leave = vi.fn()
beforeEach(() => {
  leave.mockClear()
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
})

async function openDialog() {
  await userEvent.click(await screen.findByRole('button', { name: 'Buy Small pack' }))
  return within(await screen.findByRole('dialog', { name: 'Buy Small pack' }))
}
const bought = (requests: ReturnType<typeof stubApi>) =>
  requests.filter(({ method }) => method === 'POST').map(({ body }) => body)

describe('the packs of credits', () => {
  it('have a price in the currency of the country, which is remembered', async () => {
    stubApi({ ...SIGNED_IN, ...shop() })
    const { unmount } = renderApp(packs)
    const card = within((await screen.findByRole('heading', { name: 'Small pack' })).closest('li') as HTMLElement)
    expect(card.getByText('10,000 credits')).toBeTruthy()
    expect(card.getByText('$6.99')).toBeTruthy()
    expect(screen.getByText('Test payments: no money is taken')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Republic of Korea' }))
    expect(card.getByText('₩9,900')).toBeTruthy()
    unmount()
    renderApp(packs)
    expect(await screen.findByText('₩9,900')).toBeTruthy()
  })

  it('are listed without the plans', async () => {
    stubApi({ ...SIGNED_IN, ...shop({ items: [planItem(), item()] }) })
    renderApp(packs)
    expect(await screen.findByRole('heading', { name: 'Small pack' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Pro monthly' })).toBeNull()
  })

  it('say why they cannot be bought', async () => {
    const items = [item(), item({ _id: 'item-2', name: 'Won only', prices: { KRW: 5000, USD: null } })]
    stubApi({ ...SIGNED_IN, ...shop({ items, buying: { isTest: false, currencies: ['USD'] } }) })
    renderApp(packs)
    expect(await screen.findByText('Not sold in USD.')).toBeTruthy()
    expect(screen.getAllByRole('button', { name: /^Buy/ })).toHaveLength(1)
    expect(screen.queryByText(/Test payments/)).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Republic of Korea' }))
    expect(screen.getAllByText('Payments in KRW are not set up on this installation.')).toHaveLength(2)
    expect(screen.queryByRole('button', { name: /^Buy/ })).toBeNull()
  })

  it('are replaced by a line where buying is not set up, or where there are none', async () => {
    stubApi({ ...SIGNED_IN, ...shop({ buying: { isTest: false, currencies: [] } }) })
    const { unmount } = renderApp(packs)
    expect(await screen.findByText(/Buying is not set up on this installation/)).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Small pack' })).toBeNull()
    unmount()
    stubApi({ ...SIGNED_IN, ...shop({ items: [] }) })
    renderApp(packs)
    expect(await screen.findByText('There are no credit packs at the moment.')).toBeTruthy()
  })

  it('ask guests to sign in', async () => {
    const requests = stubApi({
      ...GUEST,
      ...shop(),
      'GET /api/public/sign-in-options': { body: { google: false, discord: false } },
    })
    renderApp(packs)
    await userEvent.click(await screen.findByRole('button', { name: 'Buy Small pack' }))
    expect(await screen.findByLabelText('E-mail')).toBeTruthy()
    expect(bought(requests)).toEqual([])
  })
})

describe('buying', () => {
  it('needs consent to the terms, then leads to the payment, once', async () => {
    const requests = stubApi({ ...SIGNED_IN, ...shop(), ...ORDERED })
    renderApp(packs)
    const dialog = await openDialog()
    expect(dialog.getByText('$6.99')).toBeTruthy()
    expect(dialog.getByRole('link', { name: 'Read the terms of use' }).getAttribute('href')).toBe('/terms')
    const send = dialog.getByRole('button', { name: 'Continue to payment' })
    await userEvent.click(send)
    expect(dialog.getByRole('alert').textContent).toBe('Please agree to the required terms and conditions.')
    expect(document.activeElement).toBe(dialog.getByRole('checkbox'))
    expect(bought(requests)).toEqual([])
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.dblClick(send)
    await waitFor(() => expect(leave).toHaveBeenCalledWith(PAY_AT))
    await userEvent.click(send)
    expect(leave).toHaveBeenCalledTimes(1)
    expect(bought(requests)).toEqual([{ itemId: 'item-1', country: 'Other', amount: 699, isAgreed: true }])
  })

  it('follows the country of the dialog', async () => {
    const requests = stubApi({ ...SIGNED_IN, ...shop(), ...ORDERED })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.selectOptions(dialog.getByLabelText('Country of your billing address'), 'Republic of Korea')
    expect(dialog.getByText('₩9,900')).toBeTruthy()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(bought(requests)).toMatchObject([{ country: 'KR' }]))
  })

  it('does not send an order in a currency that is not sold', async () => {
    const requests = stubApi({
      ...SIGNED_IN,
      ...shop({ buying: { isTest: true, currencies: ['USD'] } }),
      ...ORDERED,
    })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.selectOptions(dialog.getByLabelText('Country of your billing address'), 'Republic of Korea')
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    expect(dialog.getByRole('alert').textContent).toBe('Payments in KRW are not set up on this installation.')
    expect(bought(requests)).toEqual([])
  })

  it.each([
    [503, 'UNAVAILABLE', 'The payment provider is not responding right now. Nothing was charged.'],
    [409, 'BUYING_NOT_SET_UP', 'Buying in this currency is not set up on this installation.'],
    [422, 'TERMS_NOT_AGREED', 'Please agree to the required terms and conditions.'],
    [404, 'NOT_FOUND', 'It no longer exists'],
  ])('shows a refusal with %s %s in the dialog', async (status, code, words) => {
    stubApi({ ...SIGNED_IN, ...shop(), [BUY]: { status, body: { code, message: 'no' } } })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    expect((await dialog.findByRole('alert')).textContent).toContain(words)
    expect(leave).not.toHaveBeenCalled()
  })

  it('charges a saved card where the provider has no page, and leads to the order', async () => {
    stubApi({ ...SIGNED_IN, ...shop(), [BUY]: { status: 201, body: order({ payAt: null }) } })
    const { router } = renderApp(packs)
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=orders&order=order-1'))
    expect(leave).not.toHaveBeenCalled()
  })

  it('leads to the payment methods if a card is missing', async () => {
    stubApi({ ...SIGNED_IN, ...shop(), [BUY]: { status: 409, body: { code: 'NO_PAYMENT_METHOD', message: 'no' } } })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    expect((await dialog.findByRole('link', { name: 'Add a card' })).getAttribute('href')).toBe('/account?tab=payment')
  })

  it('can be tried again by a buyer who went back to this page', async () => {
    const requests = stubApi({ ...SIGNED_IN, ...shop(), ...ORDERED })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox'))
    const send = dialog.getByRole('button', { name: 'Continue to payment' })
    await userEvent.click(send)
    await waitFor(() => expect(leave).toHaveBeenCalledTimes(1))
    expect(send.getAttribute('aria-disabled')).toBe('true')
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
    await waitFor(() => expect(send.getAttribute('aria-disabled')).toBeNull())
    await waitFor(async () => {
      await userEvent.click(send)
      expect(bought(requests)).toHaveLength(2)
    })
  })
})

describe('the bonus of a first purchase', () => {
  it('is shown on the packs and before the payment', async () => {
    stubApi({ ...SIGNED_IN, ...shop({}, { ...NO_PROMOTION, firstPurchasePercent: 20 }), ...ORDERED })
    renderApp(packs)
    expect(await screen.findByText('+ 2,000 bonus credits with your first pack')).toBeTruthy()
    const dialog = await openDialog()
    expect(dialog.getByText('Bonus credits').nextElementSibling?.textContent).toBe('2,000 credits')
  })
})

describe('a code', () => {
  const QUOTE = 'POST /api/general/order/quote'
  const quote = {
    amount: 559,
    currency: 'USD',
    listAmount: 699,
    percentOff: 20,
    couponCode: 'SPRING-20',
    credits: 10_000,
    bonusCredits: 0,
  }

  it('is applied with Enter, and the price that is shown is the one that is sent', async () => {
    const requests = stubApi({ ...SIGNED_IN, ...shop(), ...ORDERED, [QUOTE]: { body: quote } })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.type(dialog.getByLabelText('Coupon code for a lower price'), 'spring-20{Enter}')
    expect(await dialog.findByText('20% off: the code SPRING-20 is applied.')).toBeTruthy()
    expect(dialog.getByText('$5.59')).toBeTruthy()
    expect(dialog.getByText('$6.99')).toBeTruthy()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith(PAY_AT))
    expect(bought(requests)).toEqual([
      { itemId: 'item-1', country: 'Other', code: 'SPRING-20' },
      { itemId: 'item-1', country: 'Other', code: 'SPRING-20', amount: 559, isAgreed: true },
    ])
  })

  it('that is typed but not applied is applied before anything is ordered', async () => {
    const requests = stubApi({ ...SIGNED_IN, ...shop(), ...ORDERED, [QUOTE]: { body: quote } })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.type(dialog.getByLabelText('Coupon code for a lower price'), 'SPRING-20')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    expect(await dialog.findByText('$5.59')).toBeTruthy()
    expect(bought(requests)).toHaveLength(1)
    expect(leave).not.toHaveBeenCalled()
  })

  it('that is refused is told at its field, and is not needed', async () => {
    const refusal = { status: 404, body: { code: 'COUPON_UNKNOWN', message: 'no' } }
    const requests = stubApi({ ...SIGNED_IN, ...shop(), ...ORDERED, [QUOTE]: refusal })
    renderApp(packs)
    const dialog = await openDialog()
    const field = dialog.getByLabelText('Coupon code for a lower price')
    await userEvent.type(field, 'WRONG')
    await userEvent.click(dialog.getByRole('button', { name: 'Apply' }))
    expect(await dialog.findByText(/No coupon has this code/)).toBeTruthy()
    expect(document.activeElement).toBe(field)
    await userEvent.clear(field)
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    await waitFor(() => expect(leave).toHaveBeenCalledWith(PAY_AT))
    expect(bought(requests).at(-1)).toEqual({ itemId: 'item-1', country: 'Other', amount: 699, isAgreed: true })
  })

  it('shows the new price if it has changed since', async () => {
    const changed = { code: 'PRICE_CHANGED', message: 'no', details: { amount: 799, currency: 'USD' } }
    stubApi({ ...SIGNED_IN, ...shop(), [BUY]: { status: 409, body: changed } })
    renderApp(packs)
    const dialog = await openDialog()
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Continue to payment' }))
    expect(await dialog.findByText('$7.99')).toBeTruthy()
    expect(dialog.getByText(/The price has changed/)).toBeTruthy()
  })
})
