import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PaymentMethod, PaymentMethodWindow } from '@/shared/api/types'
import { paymentMethod, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { rememberGoingOn } from '../going-on'
import OwnMethods from './own-methods'

const LIST = 'GET /api/general/payment-method'
const OPEN = 'POST /api/general/payment-method'
const COMPLETE = 'POST /api/general/payment-method/card-9/complete'
const CARD = 'POST /api/general/payment-method/card-9/card'
const DEFAULT = 'PUT /api/general/payment-method/card-2/default'
const REMOVE = 'DELETE /api/general/payment-method/card-2'
const other = paymentMethod({ _id: 'card-2', label: '9999-99**-****-9999', isDefault: false })
const listed = (...methods: PaymentMethod[]) => ({
  'GET /api/auth': { body: user() },
  [LIST]: { body: { methods, hasCardForm: false } },
})
const opened = (change: Partial<PaymentMethodWindow>) => ({
  body: { _id: 'card-9', page: null, toss: null, hasCardForm: false, ...change },
})
const tab = <OwnMethods />
const BACK = { path: '/account?tab=payment&method=card-9' }
const cardNamed = async (name: string) => within(await screen.findByRole('article', { name }))
const sent = (requests: ReturnType<typeof stubApi>) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ call: `${method} ${path}`, body }))
const leave = vi.fn()
beforeEach(() => {
  leave.mockClear()
  vi.stubGlobal('location', { ...window.location, origin: window.location.origin, assign: leave })
})
afterEach(() => {
  for (const script of document.head.querySelectorAll('script')) script.remove()
  Reflect.deleteProperty(window, 'TossPayments')
})

describe('the cards', () => {
  it('are listed, and the default one cannot be deleted', async () => {
    stubApi(listed(paymentMethod(), other))
    renderApp(tab)
    const first = await cardNamed('Test 4330-12**-****-1234')
    expect(first.getByText('Default')).toBeTruthy()
    expect(first.getByRole<HTMLButtonElement>('button', { name: /^Delete/ }).disabled).toBe(true)
    expect(first.getByText('The default payment method cannot be deleted')).toBeTruthy()
    const second = await cardNamed('Test 9999-99**-****-9999')
    expect(second.queryByText('Default')).toBeNull()
    expect(second.getByRole<HTMLButtonElement>('button', { name: /^Delete/ }).disabled).toBe(false)
  })

  it('can become the default, once', async () => {
    const requests = stubApi({ ...listed(paymentMethod(), other), [DEFAULT]: { body: { ...other, isDefault: true } } })
    renderApp(tab)
    await userEvent.dblClick(await screen.findByRole('button', { name: /^Make Test 9999/ }))
    expect(await screen.findByText('This card will be charged from now on')).toBeTruthy()
    expect(sent(requests)).toHaveLength(1)
  })

  it('are deleted after a question', async () => {
    let methods = [paymentMethod(), other]
    const requests = stubApi({
      ...listed(),
      [LIST]: () => ({ body: { methods, hasCardForm: false } }),
      [REMOVE]: () => {
        methods = [paymentMethod()]
        return { status: 204 }
      },
    })
    renderApp(tab)
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Test 9999-99**-****-9999' }))
    const question = within(await screen.findByRole('dialog', { name: 'Delete Test 9999-99**-****-9999?' }))
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    expect(await screen.findByText('The payment method was deleted')).toBeTruthy()
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1))
    expect(sent(requests)).toHaveLength(1)
  })

  it('say why one was not deleted', async () => {
    const refusal = { status: 409, body: { code: 'DEFAULT_PAYMENT_METHOD', message: 'no' } }
    stubApi({ ...listed(paymentMethod(), other), [REMOVE]: refusal })
    renderApp(tab)
    await userEvent.click(await screen.findByRole('button', { name: /^Delete Test 9999/ }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    expect(
      await screen.findByText('The payment method could not be deleted: The default payment method cannot be deleted'),
    ).toBeTruthy()
  })
})

describe('adding a card', () => {
  async function start() {
    await userEvent.click(await screen.findByRole('button', { name: 'Add a card' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a card' }))
    await userEvent.dblClick(dialog.getByRole('button', { name: 'Continue' }))
    return dialog
  }

  it('leads to the page of the provider', async () => {
    const requests = stubApi({ ...listed(), [OPEN]: opened({ page: '/test-card/card-9' }) })
    renderApp(tab)
    expect(await screen.findByText('No payment methods yet')).toBeTruthy()
    await start()
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/test-card/card-9'))
    expect(sent(requests)).toEqual([{ call: OPEN, body: { country: 'Other' } }])
  })

  const toss = {
    scriptUrl: 'https://js.example/toss',
    clientKey: 'client',
    customerKey: 'customer',
    successUrl: 'https://site.example/account?tab=payment&method=card-9',
    failUrl: 'https://site.example/account?tab=payment&method=card-9&failed=1',
  }
  const script = () => document.head.querySelector<HTMLScriptElement>('script[src="https://js.example/toss"]')

  it('opens the window of the script of the provider', async () => {
    stubApi({ ...listed(), [OPEN]: opened({ toss }) })
    renderApp(tab)
    await start()
    await waitFor(() => expect(script()).toBeTruthy())
    const requestBillingAuth = vi.fn(() => new Promise(() => undefined))
    const sdk = vi.fn(() => ({ requestBillingAuth }))
    Object.assign(window, { TossPayments: sdk })
    script()?.dispatchEvent(new Event('load'))
    await waitFor(() => expect(requestBillingAuth).toHaveBeenCalledTimes(1))
    expect(sdk).toHaveBeenCalledWith('client')
    const { customerKey, successUrl, failUrl } = toss
    expect(requestBillingAuth).toHaveBeenCalledWith('카드', { customerKey, successUrl, failUrl })
  })

  it('says what to do if that window is closed, or the script does not load', async () => {
    stubApi({ ...listed(), [OPEN]: opened({ toss }) })
    renderApp(tab)
    const dialog = await start()
    await waitFor(() => expect(script()).toBeTruthy())
    script()?.dispatchEvent(new Event('error'))
    expect((await dialog.findByRole('alert')).textContent).toContain('server')
    expect(script()).toBeNull()
    const refused = () => Promise.reject(Object.assign(new Error('closed'), { code: 'USER_CANCEL' }))
    Object.assign(window, { TossPayments: () => ({ requestBillingAuth: refused }) })
    await userEvent.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await dialog.findByText(/^You closed the window before the end/)).toBeTruthy()
  })

  it('has a form where the operators want one, which forgets the card', async () => {
    const requests = stubApi({ ...listed(), [OPEN]: opened({ hasCardForm: true }), [CARD]: { body: paymentMethod() } })
    const { client } = renderApp(tab)
    const dialog = await start()
    const send = await dialog.findByRole('button', { name: 'Save card' })
    await userEvent.click(send)
    expect(dialog.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Enter the number on the card.',
      'Enter a month that is not over, as MM/YY.',
      'Enter the first 2 digits.',
      'Enter 6 or 10 digits.',
      'Enter the name of the card holder.',
      'Please agree to the required terms and conditions.',
    ])
    const number = dialog.getByLabelText<HTMLInputElement>('Card number')
    expect(document.activeElement).toBe(number)
    await userEvent.type(number, '4330a123412341234')
    expect(number.value).toBe('4330 1234 1234 1234')
    expect(number.autocomplete).toBe('cc-number')
    await userEvent.type(dialog.getByLabelText('Expiration'), '1299')
    await userEvent.type(dialog.getByLabelText('First 2 digits of the card password'), '123')
    await userEvent.type(dialog.getByLabelText('Identity number'), '881212')
    await userEvent.type(dialog.getByLabelText('Name'), 'Mira')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.dblClick(send)
    expect(await screen.findByText('The card was saved')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(sent(requests).slice(1)).toEqual([
      {
        call: CARD,
        body: {
          number: '4330123412341234',
          passwordDigits: '12',
          identityNumber: '881212',
          expirationMonth: 12,
          expirationYear: 2099,
          name: 'Mira',
          email: null,
          isAgreed: true,
        },
      },
    ])
    const kept = client
      .getMutationCache()
      .getAll()
      .map(({ state }) => state.variables)
    expect(JSON.stringify(kept)).not.toContain('4330')
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('4330')
  })

  it('has the window of the provider beside the form', async () => {
    stubApi({ ...listed(), [OPEN]: opened({ hasCardForm: true, page: 'https://pay.example/card' }) })
    renderApp(tab)
    const dialog = await start()
    expect(leave).not.toHaveBeenCalled()
    await userEvent.click(await dialog.findByRole('button', { name: 'Use the window of the payment provider' }))
    expect(leave).toHaveBeenCalledWith('https://pay.example/card')
  })

  it.each([
    ['CARD_REFUSED', { reason: 'INVALID_CARD_NUMBER' }, 'Card number', /^The card number is not correct/],
    ['CARD_REFUSED', { reason: 'INVALID_CARD_PASSWORD' }, /^First 2 digits/, /card password are not correct/],
    [
      'VALIDATION_FAILED',
      [{ field: 'expirationYear', message: 'the card has expired' }],
      'Expiration',
      /^Enter a month that is not over/,
    ],
  ])('shows a refusal %s %o at its field', async (code, details, label, words) => {
    const refusal = { status: 409, body: { code, message: 'no', details } }
    stubApi({ ...listed(), [OPEN]: opened({ hasCardForm: true }), [CARD]: refusal })
    renderApp(tab)
    const dialog = await start()
    await userEvent.type(await dialog.findByLabelText('Card number'), '4330123412341234')
    await userEvent.type(dialog.getByLabelText('Expiration'), '1299')
    await userEvent.type(dialog.getByLabelText(/^First 2 digits/), '12')
    await userEvent.type(dialog.getByLabelText('Identity number'), '881212')
    await userEvent.type(dialog.getByLabelText('Name'), 'Mira')
    await userEvent.click(dialog.getByRole('checkbox'))
    await userEvent.click(dialog.getByRole('button', { name: 'Save card' }))
    expect(await dialog.findByText(words)).toBeTruthy()
    expect(document.activeElement).toBe(dialog.getByLabelText(label))
  })
})

describe('coming back from the window', () => {
  it('saves the card once, and tidies the address', async () => {
    const requests = stubApi({ ...listed(paymentMethod()), [COMPLETE]: { body: paymentMethod({ _id: 'card-9' }) } })
    const { router } = renderApp(tab, { path: `${BACK.path}&authKey=key-1&customerKey=customer` })
    expect(await screen.findByText('The card was saved')).toBeTruthy()
    expect(sent(requests)).toEqual([{ call: COMPLETE, body: { authKey: 'key-1' } }])
    await waitFor(() => expect(router.state.location.search).toBe('?tab=payment'))
    expect(screen.getByText('The card was saved')).toBeTruthy()
  })

  it('goes on where the person was, and charges the new card', async () => {
    rememberGoingOn({ path: '/pricing?plan=Pro', isDefault: true })
    const card = paymentMethod({ _id: 'card-2', isDefault: false })
    const requests = stubApi({
      ...listed(paymentMethod()),
      [COMPLETE]: { body: card },
      [DEFAULT]: { body: { ...card, isDefault: true } },
    })
    const { router } = renderApp(tab, BACK)
    await waitFor(() => expect(router.state.location.pathname).toBe('/pricing'))
    expect(router.state.location.search).toBe('?plan=Pro')
    expect(sent(requests).map(({ call }) => call)).toEqual([COMPLETE, DEFAULT])
  })

  it.each([
    ['PAY_PROCESS_CANCELED', /^The card was not saved\. You closed the window of the payment provider/],
    ['REJECT_CARD_COMPANY', /^The card was not saved\. The card company declined/],
    ['UNHEARD_OF', /^The card was not saved\. The card was refused\. Check it, or use another card\./],
  ])('after the failure %s says what to do', async (code, words) => {
    rememberGoingOn({ path: '/pricing?plan=Pro', isDefault: false })
    const requests = stubApi(listed(paymentMethod()))
    const { router } = renderApp(tab, { path: `${BACK.path}&failed=1&code=${code}&message=x` })
    expect((await screen.findByRole('alert')).textContent).toMatch(words)
    expect(screen.getByRole('link', { name: 'Back to where you were' }).getAttribute('href')).toBe('/pricing?plan=Pro')
    expect(sent(requests)).toEqual([])
    await waitFor(() => expect(router.state.location.search).toBe('?tab=payment'))
  })

  it('says that the window was not finished', async () => {
    const refusal = { status: 409, body: { code: 'PAYMENT_METHOD_NOT_READY', message: 'no' } }
    stubApi({ ...listed(), [COMPLETE]: refusal })
    const { router } = renderApp(tab, BACK)
    expect((await screen.findByRole('alert')).textContent).toContain('was not finished')
    await waitFor(() => expect(router.state.location.search).toBe('?tab=payment'))
  })

  it('can be tried again if the server does not answer', async () => {
    let isBroken = true
    stubApi({
      ...listed(),
      [COMPLETE]: () =>
        isBroken ? { status: 500, body: { code: 'INTERNAL', message: 'x' } } : { body: paymentMethod() },
    })
    const { router } = renderApp(tab, BACK)
    const again = await screen.findByRole('button', { name: 'Try again' })
    expect(router.state.location.search).toContain('method=card-9')
    isBroken = false
    await userEvent.click(again)
    expect(await screen.findByText('The card was saved')).toBeTruthy()
  })
})
