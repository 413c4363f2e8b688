import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Coupon } from '@/shared/api/types'
import { coupon } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminCouponsPage from './admin-coupons-page'

const LIST = 'GET /api/admin/coupon'
const CREATE = 'POST /api/admin/coupon'
const CHANGE = 'PATCH /api/admin/coupon/coupon-1'
const PLANS = { 'GET /api/public/plan': { body: { items: [{ name: 'Free' }, { name: 'Standard' }] } } }
const listed = (...items: Coupon[]) => ({ body: { items, nextCursor: null } })
const page = <AdminCouponsPage />
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
const writes = (requests: ReturnType<typeof stubApi>) => requests.filter(({ method }) => method !== 'GET')

async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'New coupon' }))
  return within(await screen.findByRole('dialog', { name: 'New coupon' }))
}

describe('the list of coupons', () => {
  it('shows what they give, their codes, uses and dates', async () => {
    const plan = { kind: 'Plan', amount: null, plan: 'Standard', days: 30 } as const
    const unique = { _id: 'coupon-2', name: 'Partners', code: null, codeCount: 500, maxUses: 500, useCount: 500 }
    stubApi({
      [LIST]: listed(
        coupon({ endsAt: '2099-12-31T12:00:00Z' }),
        coupon({ ...unique, benefit: plan, isActive: false, startsAt: '2026-01-01T12:00:00Z' }),
        coupon({ _id: 'coupon-3', name: 'Open', maxUses: null, benefit: { kind: 'Credits', amount: 1 } }),
      ),
    })
    renderApp(page)
    const first = await rowOf('Welcome')
    expect(first.getByText('5,000 credits, valid for 90 days')).toBeTruthy()
    expect(first.getByText('WELCOME-2026')).toBeTruthy()
    expect(first.getByRole('button', { name: 'Copy' })).toBeTruthy()
    expect(first.getByText('3 of 10')).toBeTruthy()
    expect(first.getByText('Until 2099.12.31')).toBeTruthy()
    expect(first.getByRole('switch', { name: 'Welcome is active' }).getAttribute('aria-checked')).toBe('true')
    const second = await rowOf('Partners')
    expect(second.getByText('Standard for 30 days')).toBeTruthy()
    expect(second.getByText('Used up')).toBeTruthy()
    const file = second.getByRole('link', { name: 'Download 500 codes of Partners' })
    expect(file.getAttribute('href')).toBe('/api/admin/coupon/coupon-2/code.csv')
    expect(second.getByText('From 2026.01.01')).toBeTruthy()
    expect(second.getByRole('switch').getAttribute('aria-checked')).toBe('false')
    const third = await rowOf('Open')
    expect(third.getByText('1 credit')).toBeTruthy()
    expect(third.getByText('Always')).toBeTruthy()
  })

  it('is searched and filtered, in the address', async () => {
    const requests = stubApi({ [LIST]: listed() })
    const { router } = renderApp(page)
    expect(await screen.findByText('No coupons yet')).toBeTruthy()
    await userEvent.type(screen.getByRole('searchbox'), 'WELCOME-2026{Enter}')
    await userEvent.click(screen.getByRole('radio', { name: 'Inactive' }))
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?limit=30&search=WELCOME-2026&isActive=false'))
    expect(router.state.location.search).toBe('?search=WELCOME-2026&state=inactive')
    await userEvent.click(screen.getByRole('radio', { name: 'Active' }))
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?limit=30&search=WELCOME-2026&isActive=true'))
    expect(await screen.findByText('Nothing matches these filters')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Show all coupons' }))
    expect(router.state.location.search).toBe('')
  })

  it('is loaded again after an error', async () => {
    let fails = true
    stubApi({ [LIST]: () => (fails ? { status: 500, body: { code: 'INTERNAL', message: 'x' } } : listed(coupon())) })
    renderApp(page)
    const again = await screen.findByRole('button', { name: 'Try Again' })
    fails = false
    await userEvent.click(again)
    expect(await screen.findByText('Welcome')).toBeTruthy()
  })
})

describe('a new coupon', () => {
  it('of credits has one code, and is in the list at once', async () => {
    let items: Coupon[] = []
    const requests = stubApi({
      [LIST]: () => listed(...items),
      [CREATE]: () => {
        items = [coupon()]
        return { status: 201, body: coupon() }
      },
    })
    renderApp(page)
    const form = await openForm()
    await userEvent.click(form.getByRole('button', { name: 'Create coupon' }))
    expect(form.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Enter a name.',
      'Enter a whole number of credits.',
      'Enter 4 to 40 letters from A to Z, digits and hyphens, with at least 4 letters or digits.',
    ])
    await userEvent.type(form.getByLabelText('Name'), 'Welcome')
    await userEvent.type(form.getByLabelText('Credits'), '5,000')
    await userEvent.type(form.getByLabelText('Days until the credits expire'), '90')
    await userEvent.click(form.getByRole('button', { name: 'Make a code for me' }))
    expect(form.getByLabelText<HTMLInputElement>('Code').value).toMatch(/^\w{4}-\w{4}$/)
    await userEvent.clear(form.getByLabelText('Code'))
    await userEvent.type(form.getByLabelText('Code'), 'welcome-2026')
    await userEvent.type(form.getByLabelText('Maximum uses in total'), '10')
    await userEvent.click(form.getByRole('button', { name: 'Create coupon' }))
    expect(await screen.findByText('“Welcome” was created')).toBeTruthy()
    expect(await rowOf('Welcome')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(writes(requests).map(({ body }) => body)).toEqual([
      {
        name: 'Welcome',
        benefit: { kind: 'Credits', amount: 5000, plan: null, days: 90 },
        code: 'WELCOME-2026',
        codeCount: null,
        usesPerAccount: 1,
        maxUses: 10,
        startsAt: null,
        endsAt: null,
      },
    ])
    const next = await openForm()
    expect(next.getByLabelText<HTMLInputElement>('Name').value).toBe('')
  })

  it('of a lower price has a percentage', async () => {
    const lower = coupon({ benefit: { kind: 'PercentOff', percent: 20 } })
    const requests = stubApi({ [LIST]: listed(), [CREATE]: { status: 201, body: lower } })
    renderApp(page)
    const form = await openForm()
    await userEvent.type(form.getByLabelText('Name'), 'Spring')
    await userEvent.click(form.getByRole('radio', { name: 'A lower price' }))
    expect(form.queryByLabelText('Credits')).toBeNull()
    await userEvent.type(form.getByLabelText('Percent off'), '20')
    await userEvent.type(form.getByLabelText('Code'), 'SPRING-20')
    await userEvent.click(form.getByRole('button', { name: 'Create coupon' }))
    await waitFor(() => expect(writes(requests)).toHaveLength(1))
    expect(writes(requests)[0]?.body).toMatchObject({
      benefit: { kind: 'PercentOff', percent: 20 },
      code: 'SPRING-20',
    })
  })

  it('of a plan may have many codes', async () => {
    const requests = stubApi({ ...PLANS, [LIST]: listed(), [CREATE]: { status: 201, body: coupon() } })
    renderApp(page)
    const form = await openForm()
    await userEvent.type(form.getByLabelText('Name'), 'Partners')
    await userEvent.click(form.getByRole('radio', { name: 'A plan' }))
    await userEvent.click(form.getByRole('radio', { name: 'Many unique codes' }))
    await form.findByRole('option', { name: 'Standard' })
    await userEvent.selectOptions(form.getByLabelText('Plan'), 'Standard')
    await userEvent.type(form.getByLabelText('Days of the plan'), '30')
    await userEvent.type(form.getByLabelText('Number of codes'), '500')
    expect(form.queryByLabelText('Maximum uses in total')).toBeNull()
    await userEvent.click(form.getByRole('button', { name: 'Create coupon' }))
    await waitFor(() => expect(writes(requests)).toHaveLength(1))
    expect(writes(requests)[0]?.body).toMatchObject({
      benefit: { kind: 'Plan', amount: null, plan: 'Standard', days: 30 },
      code: null,
      codeCount: 500,
    })
  })

  it('keeps what was typed if it is refused, or if the dialog is closed', async () => {
    let refusal: object = { code: 'COUPON_CODE_TAKEN', message: 'taken' }
    stubApi({ [LIST]: listed(), [CREATE]: () => ({ status: 409, body: refusal }) })
    renderApp(page)
    const form = await openForm()
    await userEvent.type(form.getByLabelText('Name'), 'Welcome')
    await userEvent.type(form.getByLabelText('Credits'), '5000')
    await userEvent.type(form.getByLabelText('Code'), 'WELCOME')
    const send = form.getByRole('button', { name: 'Create coupon' })
    await userEvent.click(send)
    const code = form.getByLabelText<HTMLInputElement>('Code')
    expect(await form.findByText('Another coupon has this code. Choose a different one.')).toBeTruthy()
    expect(document.activeElement).toBe(code)
    await userEvent.type(code, '-2')
    refusal = { code: 'VALIDATION_FAILED', message: 'x', details: [{ field: 'benefit.amount', message: 'too many' }] }
    await userEvent.click(send)
    expect(await form.findByText('too many')).toBeTruthy()
    expect(document.activeElement).toBe(form.getByLabelText('Credits'))
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
    const again = await openForm()
    expect(again.getByLabelText<HTMLInputElement>('Name').value).toBe('Welcome')
    expect(again.getByLabelText<HTMLInputElement>('Code').value).toBe('WELCOME-2')
  })
})

describe('a coupon', () => {
  it('is switched off, and stays in the filtered list', async () => {
    const requests = stubApi({ [LIST]: listed(coupon()), [CHANGE]: { body: coupon({ isActive: false }) } })
    renderApp(page, { path: '/?state=active' })
    const button = await screen.findByRole('switch', { name: 'Welcome is active' })
    await userEvent.dblClick(button)
    expect(await screen.findByText('“Welcome” is inactive')).toBeTruthy()
    expect(button.getAttribute('aria-checked')).toBe('false')
    expect(writes(requests).map(({ body }) => body)).toEqual([{ isActive: false }])
  })

  it('says why it was not switched', async () => {
    stubApi({ [LIST]: listed(coupon()), [CHANGE]: { status: 500, body: { code: 'INTERNAL', message: 'x' } } })
    renderApp(page)
    await userEvent.click(await screen.findByRole('switch', { name: 'Welcome is active' }))
    expect(await screen.findByText(/^The coupon could not be changed: /)).toBeTruthy()
    expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true')
  })

  it('is edited: only what changed is sent', async () => {
    const requests = stubApi({
      [LIST]: listed(coupon()),
      [CHANGE]: { body: coupon({ name: 'Hello', maxUses: null }) },
    })
    renderApp(page)
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Welcome' }))
    const form = within(await screen.findByRole('dialog', { name: 'Edit Welcome' }))
    const save = form.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(true)
    await userEvent.clear(form.getByLabelText('Name'))
    await userEvent.type(form.getByLabelText('Name'), 'Hello')
    await userEvent.clear(form.getByLabelText('Maximum uses in total'))
    await userEvent.click(save)
    expect(await screen.findByText('“Hello” was changed')).toBeTruthy()
    expect(await rowOf('Hello')).toBeTruthy()
    expect(writes(requests).map(({ body }) => body)).toEqual([{ name: 'Hello', maxUses: null }])
  })

  it('lists who used it, with links to the people', async () => {
    stubApi({
      [LIST]: listed(coupon()),
      'GET /api/admin/coupon/coupon-1/use': {
        body: {
          items: [
            { _id: 'u-1', code: 'WELCOME-2026', user: { _id: 'user-9', name: 'Mira' }, usedAt: '2026-11-20T08:00:00Z' },
          ],
          nextCursor: null,
        },
      },
    })
    renderApp(page)
    await userEvent.click(await screen.findByRole('button', { name: 'Uses of Welcome' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Uses of Welcome' }))
    const person = await dialog.findByRole('link', { name: /Mira/ })
    expect(person.getAttribute('href')).toBe('/admin/user/info?user=user-9')
  })
})
