import { focusManager } from '@tanstack/react-query'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { attempt, config, done, failed } from '../testing'
import type { Attempt, WebhookConfig } from '../types'
import Webhooks from './webhooks'

const CONFIG = '/api/general/webhook-config'
const LIST = `GET ${CONFIG}/api-1`
const HISTORY = 'GET /api/general/webhook-history/hook-1'
const RESEND = `POST ${CONFIG}/resend/workflowHistory`
type Handlers = Parameters<typeof stubApi>[0]

function setup(items: WebhookConfig[], handlers: Handlers = {}, { api = 'api-1' as string | null, path = '/' } = {}) {
  const requests = stubApi({
    [LIST]: { body: { items } },
    [`GET ${CONFIG}`]: { body: { items } },
    'GET /api/general/webhook-event': { body: { items: [done, failed, { ...failed, _id: 'job.dreamt' }] } },
    [HISTORY]: { body: page([]) },
    ...handlers,
  })
  return { requests, ...renderApp(<Webhooks api={api} />, { path }) }
}
const page = (data: Attempt[], hasMore = false, number = 1) => ({ data, pagination: { page: number, hasMore } })
const history = (...attempts: Attempt[]) => ({ [HISTORY]: { body: page(attempts) } })

const button = (name: string | RegExp) => screen.findByRole('button', { name })
const press = async (name: string | RegExp) => userEvent.click(await button(name))
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))
const findText = (text: string | RegExp) => screen.findByText(text)
const writes = (requests: { method: string; path: string; body: unknown }[]) =>
  requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body }) => ({ call: `${method} ${path}`, body }))
const OPEN = { path: '/?webhook=hook-1' }

afterEach(() => {
  vi.useRealTimers()
  focusManager.setFocused(undefined)
})

describe('a new webhook', () => {
  const fill = async (form: Awaited<ReturnType<typeof dialog>>, url = 'https://example.com/hook') => {
    await userEvent.type(form.getByLabelText('Name'), ' Studio ')
    await userEvent.type(form.getByLabelText('Address'), url)
    await userEvent.click(await form.findByRole('checkbox', { name: /^Job done/ }))
  }

  it('requires name, address and event before it sends', async () => {
    const { requests } = setup([])
    await press('Add webhook')
    const form = await dialog('Add webhook')
    await form.findByRole('checkbox', { name: /^Job done/ })
    await userEvent.click(form.getByRole('button', { name: 'Add webhook' }))
    expect((await form.findAllByRole('alert')).map((one) => one.textContent)).toEqual([
      'Name is required',
      'Webhook URL is not valid',
      'Webhook Event IDs is required',
    ])
    expect(document.activeElement).toBe(form.getByLabelText('Name'))
    await fill(form)
    expect(form.queryAllByRole('alert')).toEqual([])
    expect(writes(requests)).toEqual([])
  })

  it.each([
    ['api-1', `POST ${CONFIG}/api-1`],
    [null, `POST ${CONFIG}`],
  ])('belongs to %s, and shows its secret once', async (api, call) => {
    const { requests } = setup([], { [call]: { status: 201, body: { ...config(), secret: 'whsec_abc' } } }, { api })
    await press('Add webhook')
    const form = await dialog('Add webhook')
    await fill(form)
    await userEvent.click(form.getByRole('button', { name: 'Add webhook' }))
    const secret = await dialog('Signing secret')
    expect(secret.getByText('whsec_abc')).toBeTruthy()
    expect(secret.getByText(/webhook-signature/)).toBeTruthy()
    expect(await findText('Success Add Webhook Config')).toBeTruthy()
    expect(writes(requests)).toEqual([
      { call, body: { name: 'Studio', webhookUrl: 'https://example.com/hook', webhookEventIds: ['job.done'] } },
    ])
    await userEvent.click(secret.getByRole('button', { name: 'I have copied it' }))
    await waitFor(() => expect(screen.queryByText('whsec_abc')).toBeNull())
  })

  it("shows a hint about its address, and the server's error", async () => {
    const refused = { status: 422, body: { code: 'WEBHOOK_URL_REFUSED', message: 'leads inside' } }
    setup([], { [`POST ${CONFIG}/api-1`]: refused })
    await press('Add webhook')
    const form = await dialog('Add webhook')
    await fill(form, 'http://localhost')
    expect(form.getByRole('status').textContent).toMatch(/Use https/)
    await userEvent.click(form.getByRole('button', { name: 'Add webhook' }))
    expect((await form.findByRole('alert')).textContent).toMatch(/leads into a private network/)
    expect(await findText('Failed Add Webhook Config: This address cannot be called.')).toBeTruthy()
    expect(document.activeElement).toBe(form.getByLabelText('Address'))
  })

  it("uses translated event names, and the server's for new events", async () => {
    setup([])
    await press('Add webhook')
    const form = await dialog('Add webhook')
    expect(await form.findByText('A job is done, and its results can be fetched.')).toBeTruthy()
    expect(form.getByText('A job has failed')).toBeTruthy()
  })
})

it.each(['api-1', null])('offers the end of batches to webhooks of %s', async (api) => {
  const batch = { ...done, _id: 'batch.finished' }
  setup([], { 'GET /api/general/webhook-event': { body: { items: [done, batch] } } }, { api })
  await press('Add webhook')
  const form = await dialog('Add webhook')
  await form.findByRole('checkbox', { name: /^Job done/ })
  expect(form.getByRole('checkbox', { name: /^Batch finished/ })).toBeTruthy()
  expect(form.getByText(/For an API: the batches whose jobs all ran it/)).toBeTruthy()
})

describe('a webhook', () => {
  it('is edited with its current values', async () => {
    const { requests } = setup([config()], { [`PATCH ${CONFIG}/hook-1`]: { body: config({ name: 'Home' }) } })
    await press('Edit')
    const form = await dialog('Edit Studio')
    const name = form.getByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Home')
    await userEvent.click(await form.findByRole('checkbox', { name: /^Job failed/ }))
    await userEvent.click(form.getByRole('button', { name: 'Save' }))
    expect(await findText('Success Update Webhook Config')).toBeTruthy()
    expect(writes(requests)).toEqual([
      {
        call: `PATCH ${CONFIG}/hook-1`,
        body: { name: 'Home', webhookUrl: 'https://example.com/hook', webhookEvents: ['job.done', 'job.failed'] },
      },
    ])
  })

  it('is deleted after a question', async () => {
    const { requests } = setup([config()], { [`DELETE ${CONFIG}/hook-1`]: { status: 204 } })
    await press('Delete')
    await userEvent.click((await dialog('Delete Studio?')).getByRole('button', { name: 'Cancel' }))
    expect(writes(requests)).toEqual([])
    await press('Delete')
    await userEvent.click((await dialog('Delete Studio?')).getByRole('button', { name: 'Delete' }))
    expect(await findText('Success Delete Webhook Config')).toBeTruthy()
  })

  it('gets a new secret after a confirmation, and shows how long the old one signs', async () => {
    const oldUntil = '2026-11-21T08:00:00Z'
    setup([config()], { [`POST ${CONFIG}/hook-1/secret`]: { body: { secret: 'whsec_new', oldUntil } } })
    await press('New secret')
    await userEvent.click(
      (await dialog('Give Studio a new secret?')).getByRole('button', { name: 'Create a new secret' }),
    )
    const secret = await dialog('Signing secret')
    expect(secret.getByText('whsec_new')).toBeTruthy()
    expect(secret.getByText(/^Until .*2026.*old secret/)).toBeTruthy()
  })

  it('shows why it is disabled, and can be enabled', async () => {
    let hook = config({ isActive: false, disabledReason: 'gone', disabledAt: '2026-11-20T08:00:00Z' })
    setup([], {
      [LIST]: () => ({ body: { items: [hook] } }),
      [`POST ${CONFIG}/hook-1/enable`]: () => {
        hook = config()
        return { body: hook }
      },
    })
    expect(await findText(/permanently gone \(410\)/)).toBeTruthy()
    await press('Enable')
    expect(await findText('Studio is enabled')).toBeTruthy()
    expect(await findText('Active')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Enable' })).toBeNull()
  })

  it('shows since when it fails', async () => {
    setup([config({ failingSince: '2026-01-01T00:00:00Z', waiting: 2 })])
    expect(await findText('Failing')).toBeTruthy()
    expect(await findText(/^Failing since/)).toBeTruthy()
    expect(await findText('2 deliveries are waiting')).toBeTruthy()
  })

  it('gets a test event, and a failure is shown', async () => {
    let status = 202
    setup([config()], {
      [`POST ${CONFIG}/hook-1/test`]: () => ({ status, body: { groupId: 'g', code: 'INTERNAL', message: 'no' } }),
    })
    await press('Send test')
    expect(await findText('A test event is on its way')).toBeTruthy()
    status = 500
    await new Promise((later) => setTimeout(later, 450))
    await press('Send test')
    expect(await findText('The test event could not be sent')).toBeTruthy()
  })

  it.each([
    ['test', async () => press('Send test')],
    [
      'resend-failed',
      async () => {
        await press('Resend failed')
        await userEvent.click((await dialog('Resend failed deliveries')).getByRole('button', { name: 'Resend' }))
      },
    ],
  ])('says that a disabled one is sent nothing: %s', async (call, ask) => {
    const disabled = { status: 422, body: { code: 'WEBHOOK_DISABLED', message: 'no' } }
    setup([config()], { [`POST ${CONFIG}/hook-1/${call}`]: disabled })
    await ask()
    expect(await findText('This webhook is disabled. Enable it first.')).toBeTruthy()
  })

  it('resends failed deliveries since a past time', async () => {
    const { requests } = setup([config()], { [`POST ${CONFIG}/hook-1/resend-failed`]: { body: { count: 3 } } })
    await press('Resend failed')
    const form = await dialog('Resend failed deliveries')
    const since = form.getByLabelText('Failed since')
    await userEvent.clear(since)
    await userEvent.click(form.getByRole('button', { name: 'Resend' }))
    expect((await form.findByRole('alert')).textContent).toBe('Enter a day and a time')
    await userEvent.type(since, '2026-11-20T08:00')
    await userEvent.click(form.getByRole('button', { name: 'Resend' }))
    expect(await findText('3 deliveries are being sent again')).toBeTruthy()
    expect(writes(requests)[0]?.body).toEqual({ since: new Date('2026-11-20T08:00').toISOString() })
  })
})

describe('the delivery history', () => {
  it('loads when opened, and says when it is empty', async () => {
    const { requests, router } = setup([config()])
    const history = await button('History')
    expect(requests.some(({ path }) => path.includes('webhook-history'))).toBe(false)
    await userEvent.click(history)
    expect(await findText('No history')).toBeTruthy()
    expect(history.getAttribute('aria-expanded')).toBe('true')
    expect(router.state.location.search).toBe('?webhook=hook-1')
  })

  it('shows the first attempt until another is pressed, with request and response', async () => {
    const second = attempt({ _id: 'try-2', groupId: 'group-2', response: '', payload: '{"a":1}', status: 'Failed' })
    const person = userEvent.setup()
    setup([config()], history(attempt(), second), OPEN)
    const view = await screen.findByRole('region', { name: 'Job done' })
    expect(within(view).getByText('heard')).toBeTruthy()
    const list = within(screen.getByRole('list', { name: 'History' })).getAllByRole('button')
    expect(list.map((one) => one.getAttribute('aria-current'))).toEqual(['true', null])
    await userEvent.click(list[1] as HTMLElement)
    const other = within(await screen.findByRole('region', { name: 'Job done' }))
    expect(other.getByText('No data')).toBeTruthy()
    expect(other.getAllByRole('button', { name: 'Copy' })).toHaveLength(1)
    await person.click(other.getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe('{"a":1}')
    expect(await findText('Copied to {"a":1}')).toBeTruthy()
  })

  it.each([
    ['the address did not answer', 'The address did not answer.'],
    ['the address is not allowed: only https is allowed', 'Only https is allowed here.'],
    ['a reason that is new', 'a reason that is new'],
  ])('shows why there was no response: %s', async (error, words) => {
    setup([config()], history(attempt({ error, status: 'Failed', responseStatus: null, response: '' })), OPEN)
    expect(await findText(words)).toBeTruthy()
  })

  it('searches exact words from the first page, with five per page', async () => {
    const { requests } = setup(
      [config()],
      {
        [HISTORY]: (request) => {
          const { searchParams } = new URL(request.url)
          const number = Number(searchParams.get('page'))
          if (searchParams.has('search')) return { body: page([]) }
          return { body: page([attempt({ _id: `try-${number}`, response: `of ${number}` })], number === 1, number) }
        },
      },
      OPEN,
    )
    expect(await findText('of 1')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Newer' }).disabled).toBe(true)
    await press('Older')
    expect(await findText('of 2')).toBeTruthy()
    expect(screen.getByText('Page 2')).toBeTruthy()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Older' }).disabled).toBe(true)
    await userEvent.type(screen.getByRole('searchbox'), 'Failed{Enter}')
    expect(await findText('No delivery matches exactly.')).toBeTruthy()
    const asked = requests.filter(({ path }) => path.includes('webhook-history')).map(({ search }) => search)
    expect(new Set(asked)).toEqual(new Set(['?page=1&limit=5', '?page=2&limit=5', '?page=1&limit=5&search=Failed']))
  })

  it('resends an attempt until the tenth', async () => {
    // The tenth attempt of this delivery is on another page.
    const spent = attempt({ _id: 'try-2', groupId: 'group-2', attemptNumber: 3, attempts: 10 })
    const { requests } = setup(
      [config()],
      { ...history(attempt(), spent), [`${RESEND}/try-1`]: { status: 202, body: { groupId: 'group-1' } } },
      OPEN,
    )
    await press('Resend')
    expect(await findText('success to resend webhook')).toBeTruthy()
    expect(writes(requests)).toHaveLength(1)
    await press(/^Job done.*Attempt 3$/)
    expect((await button('Resend')).hasAttribute('disabled')).toBe(true)
    expect(await findText(/^All 10 attempts were used/)).toBeTruthy()
  })

  it.each([
    [{ status: 422, body: { code: 'WEBHOOK_ATTEMPTS', message: 'no' } }, 'This delivery has used all its attempts.'],
    [{ status: 422, body: { code: 'WEBHOOK_DISABLED', message: 'no' } }, 'This webhook is disabled. Enable it first.'],
    [{ status: 409, body: { code: 'CONFLICT', message: 'it is being sent' } }, 'it is being sent'],
    [{ status: 500, body: { code: 'INTERNAL', message: 'no' } }, 'failed to resend webhook'],
  ])('says why an attempt is not resent: %#', async (answer, words) => {
    setup([config()], { ...history(attempt()), [`${RESEND}/try-1`]: answer }, OPEN)
    await press('Resend')
    expect(await findText(words)).toBeTruthy()
  })

  it('refetches while something is pending, and stops afterwards', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let waiting = 1
    const { requests } = setup([], { [LIST]: () => ({ body: { items: [config({ waiting })] } }) }, OPEN)
    const asked = (part: string) => requests.filter(({ path }) => path.includes(part)).length
    await waitFor(() => expect(asked('webhook-history')).toBe(1))
    expect(await findText('Live')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(3100))
    expect(asked('webhook-config')).toBe(2)
    expect(asked('webhook-history')).toBe(2)
    waiting = 0
    await act(() => vi.advanceTimersByTimeAsync(3100))
    await waitFor(() => expect(screen.queryByText('Live')).toBeNull())
    const before = requests.length
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(requests.length).toBe(before)
  })

  it('refetches for a minute after the last delivery', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const at = new Date().toISOString()
    const hook = config({ lastAttempt: { status: 'Success', responseStatus: 200, attemptAt: at } })
    const { requests } = setup([hook], history(attempt({ attemptAt: at })), OPEN)
    expect(await findText('Live')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(70_000))
    await waitFor(() => expect(screen.queryByText('Live')).toBeNull())
    const before = requests.length
    expect(before).toBeGreaterThan(30)
    await act(() => vi.advanceTimersByTimeAsync(30_000))
    expect(requests.length).toBe(before)
  })

  it('pauses while the page is hidden, and refetches on return', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { requests } = setup([config({ waiting: 1 })], {}, OPEN)
    expect(await findText('Live')).toBeTruthy()
    act(() => focusManager.setFocused(false))
    const before = requests.length
    await act(() => vi.advanceTimersByTimeAsync(10_000))
    expect(requests.length).toBe(before)
    act(() => focusManager.setFocused(true))
    await waitFor(() => expect(requests.length).toBe(before + 2))
  })
})
