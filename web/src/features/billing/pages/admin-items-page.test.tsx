import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AdminItem } from '@/shared/api/types'
import { item, planItem } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminItemsPage from './admin-items-page'

const LIST = 'GET /api/admin/item'
const CREATE = 'POST /api/admin/item'
const CHANGE = 'PATCH /api/admin/item/item-1'
const listed = (...items: AdminItem[]) => ({ body: { items, nextCursor: null } })
const page = <AdminItemsPage />
const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') as HTMLElement)
const writes = (requests: ReturnType<typeof stubApi>) =>
  requests.filter(({ method }) => method !== 'GET').map(({ body }) => body)

async function openForm() {
  await userEvent.click(await screen.findByRole('button', { name: 'New item' }))
  return within(await screen.findByRole('dialog', { name: 'New item' }))
}

it('the items are listed with their prices and state', async () => {
  stubApi({
    [LIST]: listed(
      item(),
      item({ _id: 'item-2', name: 'Won only', prices: { KRW: 5000, USD: null }, isActive: false }),
    ),
  })
  renderApp(page)
  const first = await rowOf('Small pack')
  expect(first.getByText('10,000')).toBeTruthy()
  expect(first.getByText('₩9,900')).toBeTruthy()
  expect(first.getByText('$6.99')).toBeTruthy()
  expect(first.getByRole('switch', { name: 'Small pack is active' }).getAttribute('aria-checked')).toBe('true')
  const second = await rowOf('Won only')
  expect(second.getByText('Not sold')).toBeTruthy()
  expect(second.getByRole('switch').getAttribute('aria-checked')).toBe('false')
})

describe('a new item', () => {
  it('has a name, credits and prices, and is in the list at once', async () => {
    let items: AdminItem[] = []
    const requests = stubApi({
      [LIST]: () => listed(...items),
      [CREATE]: () => {
        items = [item()]
        return { status: 201, body: item() }
      },
    })
    renderApp(page)
    expect(await screen.findByText('No items yet')).toBeTruthy()
    const form = await openForm()
    const send = form.getByRole('button', { name: 'Create item' })
    await userEvent.click(send)
    expect(form.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Enter a name.',
      'Enter a whole number of credits.',
      'Enter a price in at least one currency.',
    ])
    await userEvent.type(form.getByLabelText('Name'), 'Small pack')
    await userEvent.type(form.getByLabelText('Credits'), '10,000')
    await userEvent.type(form.getByLabelText('Price in KRW'), '9,900')
    await userEvent.type(form.getByLabelText('Price in USD'), '6.999')
    expect(form.getByRole('alert').textContent).toContain('Enter dollars from 0.50 to 100,000')
    await userEvent.type(form.getByLabelText('Price in USD'), '{Backspace}')
    await userEvent.dblClick(send)
    expect(await screen.findByText('“Small pack” was created')).toBeTruthy()
    expect(await rowOf('Small pack')).toBeTruthy()
    expect(writes(requests)).toEqual([
      { name: 'Small pack', kind: 'Credit', credits: 10_000, prices: { KRW: 9900, USD: 699 } },
    ])
  })

  it('keeps what was typed if it is refused, or if the dialog is closed', async () => {
    const details = [{ field: 'prices.USD', message: 'too low' }]
    const body = { code: 'VALIDATION_FAILED', message: 'x', details }
    stubApi({ [LIST]: listed(), [CREATE]: { status: 400, body } })
    renderApp(page)
    const form = await openForm()
    await userEvent.type(form.getByLabelText('Name'), 'Small pack')
    await userEvent.type(form.getByLabelText('Credits'), '100')
    await userEvent.type(form.getByLabelText('Price in USD'), '1')
    await userEvent.click(form.getByRole('button', { name: 'Create item' }))
    expect(await form.findByText('too low')).toBeTruthy()
    expect(document.activeElement).toBe(form.getByLabelText('Price in USD'))
    await userEvent.click(form.getByRole('button', { name: 'Cancel' }))
    expect((await openForm()).getByLabelText<HTMLInputElement>('Name').value).toBe('Small pack')
  })
})

describe('a plan', () => {
  it('is sold without credits of its own', async () => {
    const requests = stubApi({
      [LIST]: listed(),
      'GET /api/public/plan': { body: { items: [{ name: 'Free' }, { name: 'Pro' }] } },
      [CREATE]: { status: 201, body: planItem() },
    })
    renderApp(page)
    const form = await openForm()
    await userEvent.click(form.getByRole('radio', { name: 'Plan' }))
    expect(form.queryByLabelText('Credits')).toBeNull()
    await userEvent.type(form.getByLabelText('Name'), 'Pro monthly')
    await userEvent.type(form.getByLabelText('Price in USD'), '9.90')
    await userEvent.click(form.getByRole('button', { name: 'Create item' }))
    expect(form.getByRole('alert').textContent).toBe('Choose a plan.')
    await userEvent.selectOptions(form.getByLabelText('Plan'), 'Pro')
    await userEvent.click(form.getByRole('button', { name: 'Create item' }))
    expect(await screen.findByText('“Pro monthly” was created')).toBeTruthy()
    expect(writes(requests)).toEqual([
      { name: 'Pro monthly', kind: 'Subscription', plan: 'Pro', prices: { KRW: null, USD: 990 } },
    ])
  })

  it('is edited without its kind', async () => {
    stubApi({ [LIST]: listed(planItem()) })
    renderApp(page)
    expect((await rowOf('Pro monthly')).getByText('Plan Pro')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Edit Pro monthly' }))
    const form = within(await screen.findByRole('dialog', { name: 'Edit Pro monthly' }))
    expect(form.queryByRole('radio')).toBeNull()
    expect(form.queryByLabelText('Credits')).toBeNull()
  })
})

describe('an item', () => {
  it('is switched off once by a double click', async () => {
    const requests = stubApi({ [LIST]: listed(item()), [CHANGE]: { body: item({ isActive: false }) } })
    renderApp(page)
    const button = await screen.findByRole('switch', { name: 'Small pack is active' })
    await userEvent.dblClick(button)
    expect(await screen.findByText('“Small pack” is inactive')).toBeTruthy()
    expect(button.getAttribute('aria-checked')).toBe('false')
    expect(writes(requests)).toEqual([{ isActive: false }])
  })

  it('is edited: only what changed is sent', async () => {
    const changed = item({ prices: { KRW: 9900, USD: null } })
    const requests = stubApi({ [LIST]: listed(item()), [CHANGE]: { body: changed } })
    renderApp(page)
    await userEvent.click(await screen.findByRole('button', { name: 'Edit Small pack' }))
    const form = within(await screen.findByRole('dialog', { name: 'Edit Small pack' }))
    const save = form.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    expect(save.disabled).toBe(true)
    expect(form.getByLabelText<HTMLInputElement>('Price in USD').value).toBe('6.99')
    await userEvent.clear(form.getByLabelText('Price in USD'))
    await userEvent.click(save)
    expect(await screen.findByText('“Small pack” was changed')).toBeTruthy()
    await waitFor(async () => expect((await rowOf('Small pack')).getByText('Not sold')).toBeTruthy())
    expect(writes(requests)).toEqual([{ prices: { KRW: 9900, USD: null } }])
  })
})
