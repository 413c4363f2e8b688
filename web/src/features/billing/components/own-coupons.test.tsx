import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { keys } from '@/shared/api/keys'
import { createQueryClient } from '@/shared/api/query-client'
import type { RedeemedCoupon } from '@/shared/api/types'
import { formatMoment } from '@/shared/lib/format'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import OwnCoupons from './own-coupons'

const UNTIL = '2027-02-25T09:30:00Z'
const TIME = formatMoment(UNTIL, 'en')
const LIST = 'GET /api/general/coupon'
const SEND = 'POST /api/general/coupon'
const redeemed = (change: Partial<RedeemedCoupon> = {}): RedeemedCoupon => ({
  _id: 'use-1',
  name: 'Welcome',
  code: 'WELCOME-2026',
  benefit: { kind: 'Credits', amount: 5000, plan: null, days: 90 },
  usedAt: '2026-11-20T08:00:00Z',
  until: UNTIL,
  ...change,
})
const listed = (...items: RedeemedCoupon[]) => ({ body: { items, nextCursor: null } })
const field = () => screen.findByLabelText<HTMLInputElement>('Coupon code')
const tab = <OwnCoupons />

describe('a coupon', () => {
  it('is redeemed by Enter, says what it gave, and refreshes what depends on it', async () => {
    let items: RedeemedCoupon[] = []
    const requests = stubApi({
      [LIST]: () => listed(...items),
      [SEND]: () => {
        items = [redeemed()]
        return { status: 201, body: redeemed() }
      },
    })
    const client = createQueryClient()
    client.setQueryData(userQuery().queryKey, user())
    client.setQueryData(keys.credits.balance, { available: 1 })
    renderApp(tab, { client })
    expect(await screen.findByText('No coupons used yet')).toBeTruthy()
    await userEvent.type(await field(), ' welcome 2026{Enter}')
    expect(await screen.findByText('Coupon redeemed')).toBeTruthy()
    const gift = `5,000 credits, valid until ${TIME}`
    await waitFor(() => expect(screen.getAllByText(gift)).toHaveLength(2))
    const list = within(screen.getByRole('region', { name: 'Used coupons' }))
    expect(list.getByText(gift)).toBeTruthy()
    expect(list.getByText('WELCOME-2026')).toBeTruthy()
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ code: 'WELCOME 2026' })
    expect((await field()).value).toBe('')
    for (const key of [userQuery().queryKey, keys.credits.balance])
      expect(client.getQueryState(key)?.isInvalidated).toBe(true)
  })

  it('can give a plan', async () => {
    const benefit = { kind: 'Plan', amount: null, plan: 'Standard', days: 30 } as const
    stubApi({ [LIST]: listed(), [SEND]: { status: 201, body: redeemed({ benefit }) } })
    renderApp(tab)
    await userEvent.type(await field(), 'PLAN-2026')
    await userEvent.click(screen.getByRole('button', { name: 'Redeem' }))
    expect(await screen.findByText(`Standard until ${TIME}`)).toBeTruthy()
  })

  it('needs a code', async () => {
    const requests = stubApi({ [LIST]: listed() })
    renderApp(tab)
    await userEvent.type(await field(), '  {Enter}')
    expect(screen.getByRole('alert').textContent).toBe('Enter the code of your coupon.')
    expect(document.activeElement).toBe(await field())
    expect(requests.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('of a link is filled in, not sent, and leaves the address when it is redeemed', async () => {
    const requests = stubApi({ [LIST]: listed(), [SEND]: { status: 201, body: redeemed() } })
    const { router } = renderApp(tab, { path: '/account?tab=coupon&code=welcome-2026' })
    expect((await field()).value).toBe('WELCOME-2026')
    expect(await screen.findByText('No coupons used yet')).toBeTruthy()
    expect(requests.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: 'Redeem' }))
    await waitFor(() => expect(router.state.location.search).toBe('?tab=coupon'))
    expect((await field()).value).toBe('')
  })

  const startsAt = formatMoment('2026-12-01T00:00:00Z', 'en')
  it.each([
    [404, 'COUPON_UNKNOWN', undefined, 'No coupon has this code. Compare it with the text that you received.'],
    [409, 'COUPON_NOT_STARTED', { startsAt: '2026-12-01T00:00:00Z' }, `This coupon can be used from ${startsAt}.`],
    [409, 'COUPON_ENDED', undefined, 'This coupon has ended.'],
    [409, 'COUPON_USED', undefined, 'You have already used this coupon.'],
    [409, 'COUPON_USED_UP', undefined, 'All uses of this coupon are taken.'],
    [
      409,
      'COUPON_PLAN_NOT_NOW',
      { plan: 'Pro', until: null },
      'Your plan Pro already includes what this coupon gives.',
    ],
    [409, 'COUPON_PLAN_NOT_NOW', { plan: 'Pro', until: UNTIL }, `You have Pro until ${TIME}.`],
  ])('is refused with %s %s, at the field', async (status, code, details, words) => {
    stubApi({ [LIST]: listed(), [SEND]: { status, body: { code, message: 'no', details } } })
    renderApp(tab)
    await userEvent.type(await field(), 'WELCOME-2026{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    // The code stays, to be corrected.
    expect((await field()).value).toBe('WELCOME-2026')
    expect((await field()).getAttribute('aria-invalid')).toBe('true')
    await userEvent.type(await field(), '7')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    [429, 'RATE_LIMITED', 'Too many requests'],
    [409, 'CREDIT_LIMIT', 'This would exceed the credit limit of an account.'],
  ])('is refused with %s %s, beside the field', async (status, code, words) => {
    const refusal = { status, body: { code, message: 'no' }, headers: { 'retry-after': '7' } }
    stubApi({ [LIST]: listed(), [SEND]: refusal })
    renderApp(tab)
    await userEvent.type(await field(), 'WELCOME-2026{Enter}')
    expect((await screen.findByRole('alert')).textContent).toContain(words)
    expect((await field()).getAttribute('aria-invalid')).toBeNull()
  })
})

describe('the used coupons', () => {
  it('come page by page', async () => {
    const requests = stubApi({
      [LIST]: (request) =>
        new URL(request.url).searchParams.has('cursor')
          ? listed(redeemed({ _id: 'use-2', name: 'Second' }))
          : { body: { items: [redeemed()], nextCursor: 'more' } },
    })
    renderApp(tab)
    expect(await screen.findByText('Welcome')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('Second')).toBeTruthy()
    expect(requests.at(-1)?.search).toBe('?limit=30&cursor=more')
  })

  it('are loaded again after an error', async () => {
    let fails = true
    stubApi({ [LIST]: () => (fails ? { status: 500, body: { code: 'INTERNAL', message: 'x' } } : listed(redeemed())) })
    renderApp(tab)
    const again = await screen.findByRole('button', { name: 'Try Again' })
    fails = false
    await userEvent.click(again)
    expect(await screen.findByText('Welcome')).toBeTruthy()
  })
})
