import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { Route, Routes } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { showLanguage } from '@/shared/i18n'
import { job, jobStatus, user } from '@/shared/testing/factories'
import { FakeEvents } from '@/shared/testing/fake-events'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import MiniAppPage from './mini-app-page'

const schema = {
  type: 'object',
  properties: { text: { type: 'string', title: 'Caption' }, seed: { type: 'integer', title: 'Seed', default: -1 } },
}
const app = {
  _id: 'app-1',
  workflow: {
    _id: 'w',
    name: 'Silk',
    description: '<p>Folds <script>alert(1)</script></p>',
    cover: null,
    user: { _id: 'u', name: 'Mira', profile: null },
  },
  inputs: {},
  outputs: {},
  rjsf: { schema, uiSchema: { seed: { 'ui:widget': 'seed' } } },
  health: { ok: true, problems: [] },
  works: { ok: null, checkedAt: null, missing: { classes: [], models: [] } },
  updatedAt: '2026-11-20T08:00:00Z',
}
const RUN = 'POST /api/general/job/workflow-api/app-1'

function setup(
  who: User | null,
  handlers: Parameters<typeof stubApi>[0] = {},
  path = '/easy-app/app-1',
  parts: ComponentProps<typeof MiniAppPage> = {},
) {
  const requests = stubApi({
    'GET /api/auth': who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/general/workflow-api/app-1': { body: app },
    'GET /api/public/workflow-api/app-1': { body: app },
    'GET /api/general/job': { body: { items: [], nextCursor: null } },
    'GET /api/general/job/job-1': { body: job({ seeds: { seed: 4711 } }) },
    ...handlers,
  })
  const page = (
    <LoginDialogProvider>
      <Routes>
        <Route path="easy-app/:appId" element={<MiniAppPage {...parts} />} />
      </Routes>
    </LoginDialogProvider>
  )
  return { requests, ...renderApp(page, { path }) }
}

const latest = () =>
  waitFor(() => {
    const events = FakeEvents.all.at(-1)
    if (!events) throw new Error('no events were asked for')
    return events
  })

beforeEach(() => {
  FakeEvents.all = []
  vi.stubGlobal('EventSource', FakeEvents)
})

describe('the mini-app page', () => {
  afterEach(() => showLanguage('en'))

  it("shows the author's Korean texts on a Korean page, and sends the same form", async () => {
    await showLanguage('ko')
    const palette = { type: 'string', title: 'Palette', enum: ['ember', 'dusk'], default: 'dusk' }
    const ko = { title: '색 조합', description: '이미지에 쓰이는 색입니다.', enumNames: ['불씨', '황혼'] }
    const translated = {
      ...app,
      workflow: { ...app.workflow, translations: { ko: { name: '주름진 비단', description: '<p>두꺼운 천처럼</p>' } } },
      rjsf: {
        schema: { ...schema, properties: { ...schema.properties, palette } },
        uiSchema: { palette: { 'ui:widget': 'select', 'ui:options': { translations: { ko } } } },
      },
    }
    const accepted = { _id: 'job-1', status: 'Pending', seeds: {} }
    const { requests } = setup(user({ language: 'ko' }), {
      'GET /api/general/workflow-api/app-1': { body: translated },
      [RUN]: { status: 201, body: accepted },
    })
    expect(await screen.findByRole('heading', { level: 1, name: '주름진 비단' })).toBeTruthy()
    expect(await screen.findByText('두꺼운 천처럼')).toBeTruthy()
    await waitFor(() => expect(document.title).toContain('주름진 비단'))
    const choice = await screen.findByRole('combobox', { name: /색 조합/ })
    expect([...choice.querySelectorAll('option')].map((option) => option.textContent)).toEqual(
      expect.arrayContaining(['불씨', '황혼']),
    )
    expect(screen.getByLabelText('Caption')).toBeTruthy()
    await userEvent.selectOptions(choice, '불씨')
    await userEvent.click(screen.getByRole('button', { name: '실행' }))
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'POST')?.body).toMatchObject({ palette: 'ember' }),
    )
  })

  it('runs the form, follows the job and offers its seed again', async () => {
    const accepted = { _id: 'job-1', status: 'Pending', seeds: { seed: 4711 } }
    const { requests, router } = setup(user(), { [RUN]: { status: 201, body: accepted } })
    await userEvent.type(await screen.findByLabelText('Caption'), 'Night')
    await userEvent.click(screen.getByRole('button', { name: 'Run' }))
    const events = await latest()
    expect(events.url).toBe('/api/general/job/job-1/events')
    const sent = requests.find((request) => request.method === 'POST')
    expect(sent?.body).toEqual({ text: 'Night', seed: -1 })
    expect(sent?.headers.get('Idempotency-Key')).toMatch(/^[0-9a-f-]{36}$/)
    expect(router.state.location.search).toBe('?job=job-1')
    expect(router.state.preventScrollReset, 'the page jumps to its top').toBe(true)

    events.send('status', jobStatus({ status: 'Running' }))
    expect(await screen.findByText('Running...')).toBeTruthy()
    expect((screen.getByLabelText('Caption') as HTMLInputElement).disabled).toBe(true)
    events.send('outputs', [{ nodeId: '9', name: 'Words', outputs: { text: ['made of silk'] } }])
    events.send('status', jobStatus({ status: 'Done' }))
    expect(await screen.findByText('made of silk')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Keep this seed' }))
    expect((screen.getByRole('textbox', { name: 'Seed' }) as HTMLInputElement).value).toBe('4711')
  })

  it('counts a double press on Run once, and keeps focus and query parameters', async () => {
    const cancel = 'POST /api/general/job/job-1/cancel'
    const accepted = { status: 201, body: { _id: 'job-1', status: 'Pending', seeds: {} } }
    const { requests, router } = setup(user(), { [RUN]: accepted, [cancel]: { body: {} } }, '/easy-app/app-1?ref=mail')
    const run = await screen.findByRole('button', { name: 'Run' })
    run.focus()
    await userEvent.dblClick(run)
    await latest()
    const button = await screen.findByRole('button', { name: 'Cancel job' })
    expect(router.state.location.search).toBe('?ref=mail&job=job-1')
    expect(document.activeElement).toBe(button)
    // A slow double press hits Cancel, which has replaced Run by then.
    fireEvent.click(button, { detail: 2 })
    expect(requests.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/api/general/job/workflow-api/app-1',
    ])
  })

  it('restores the job of the address after a reload', async () => {
    setup(user(), {}, '/easy-app/app-1?job=job-1')
    const events = await latest()
    events.send('status', jobStatus({ status: 'Connected' }))
    expect(await screen.findByText('Connected!')).toBeTruthy()
  })

  it('cancels this job only', async () => {
    const { requests } = setup(
      user(),
      { 'POST /api/general/job/job-1/cancel': { body: { _id: 'job-1', status: 'Canceled' } } },
      '/easy-app/app-1?job=job-1',
    )
    const events = await latest()
    events.send('status', jobStatus({ status: 'Running' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel job' }))
    await waitFor(() => expect(requests.some((r) => r.path.endsWith('/job-1/cancel'))).toBe(true))
    events.send('status', jobStatus({ status: 'Canceled' }))
    expect(await screen.findByRole('button', { name: 'Run' })).toBeTruthy()
  })

  it('opens the login modal when a guest presses Run, and keeps typed values', async () => {
    const { requests } = setup(null)
    await userEvent.type(await screen.findByLabelText('Caption'), 'Night')
    await userEvent.click(screen.getByRole('button', { name: 'Sign in to run' }))
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
    expect(requests.every((request) => request.method === 'GET')).toBe(true)
    expect(JSON.parse(localStorage.getItem('vg.draft.app-1') ?? '{}').values.text).toBe('Night')
  })

  it('offers the plans when there are no credits, or later', async () => {
    setup(user(), { [RUN]: { status: 402, body: { code: 'OUT_OF_CREDITS', message: 'none left' } } })
    await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
    expect(await screen.findByText('You are out of credits')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe('/pricing')
    await userEvent.click(screen.getByRole('button', { name: 'Later' }))
    expect(screen.queryByText('You are out of credits')).toBeNull()
  })

  it('marks rejected fields', async () => {
    const details = [{ field: 'text', message: 'too rude' }]
    setup(user(), { [RUN]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'check', details } } })
    await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
    expect(await screen.findByText('too rude')).toBeTruthy()
  })

  it('retries a lost submit under the same key, and a changed form under a new one', async () => {
    let lost = 2
    const keys: (string | null)[] = []
    setup(user(), {
      [RUN]: (request) => {
        keys.push(request.headers.get('Idempotency-Key'))
        lost -= 1
        if (lost >= 0) throw new TypeError('connection lost')
        return { status: 201, body: { _id: 'job-1', status: 'Pending' } }
      },
    })
    const run = async () => userEvent.click(await screen.findByRole('button', { name: 'Run' }))
    await run()
    await run()
    expect(keys).toHaveLength(2)
    expect(keys[1]).toBe(keys[0])
    await userEvent.type(screen.getByLabelText('Caption'), 'x')
    await run()
    expect(keys[2]).not.toBe(keys[0])
  })

  it('keeps the draft over a reload until it is reset', async () => {
    const first = setup(user())
    await userEvent.type(await screen.findByLabelText('Caption'), 'Night')
    first.unmount()
    setup(user())
    const caption = (await screen.findByLabelText('Caption')) as HTMLInputElement
    expect(caption.value).toBe('Night')
    await userEvent.click(screen.getByRole('button', { name: 'Reset' }))
    expect(caption.value).toBe('')
    expect(localStorage.getItem('vg.draft.app-1')).toBeNull()
  })

  it('starts with the values of a link, and removes them from the address', async () => {
    const hash = `#${new URLSearchParams({ with: JSON.stringify({ text: 'from afar', gone: 1 }) })}`
    const { router } = setup(user(), {}, `/easy-app/app-1${hash}`)
    expect(await screen.findByLabelText('Caption')).toHaveProperty('value', 'from afar')
    await waitFor(() => expect(router.state.location.hash).toBe(''))

    // Another link in the same tab, then the first one again.
    for (const text of ['from near', 'from afar']) {
      const next = new URLSearchParams({ with: JSON.stringify({ text }) })
      await act(() => router.navigate(`/easy-app/app-1#${next}`))
      await waitFor(() => expect(screen.getByLabelText('Caption')).toHaveProperty('value', text))
      await waitFor(() => expect(router.state.location.hash).toBe(''))
    }
  })

  it("copies a link with the form's values", async () => {
    const person = userEvent.setup()
    setup(user())
    await person.type(await screen.findByLabelText('Caption'), 'two boats')
    await person.click(screen.getByRole('button', { name: 'Copy link' }))
    const { pathname, hash } = new URL(await navigator.clipboard.readText())
    expect(pathname).toBe('/easy-app/app-1')
    expect(JSON.parse(new URLSearchParams(hash.slice(1)).get('with') ?? '')).toEqual({ text: 'two boats', seed: -1 })
  })

  it('sanitizes the description', async () => {
    const { container } = setup(user())
    await screen.findByText(/Folds/)
    expect(container.querySelector('script')).toBeNull()
    expect(container.textContent).not.toContain('alert(1)')
  })

  it('fills in the values of an earlier run, and clears old errors', async () => {
    const earlier = job({ _id: 'job-0', status: 'Done', form: { text: 'storm', seed: -1 }, seeds: { seed: 4711 } })
    const details = [{ field: 'text', message: 'too rude' }]
    setup(user(), {
      'GET /api/general/job': { body: { items: [earlier], nextCursor: null } },
      'GET /api/general/job/job-0/api-outputs': { body: [] },
      [RUN]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'check', details } },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Run' }))
    expect(await screen.findByText('too rude')).toBeTruthy()
    await userEvent.click(await screen.findByRole('button', { name: 'Earlier runs' }))
    await userEvent.click(await screen.findByRole('button', { name: /^Use these values again/ }))
    await waitFor(() => expect(screen.getByLabelText('Caption')).toHaveProperty('value', 'storm'))
    expect(screen.getByRole('textbox', { name: 'Seed' })).toHaveProperty('value', '4711')
    expect(screen.queryByText('too rude')).toBeNull()
    expect(JSON.parse(localStorage.getItem('vg.draft.app-1') ?? '{}').values.text).toBe('storm')
  })

  it('shows no earlier runs to guests', async () => {
    const { requests } = setup(null)
    await screen.findByLabelText('Caption')
    expect(screen.queryByText('Earlier runs')).toBeNull()
    expect(requests.some(({ path }) => path === '/api/general/job')).toBe(false)
  })

  const works = (ok: boolean | null) => ({
    ...app,
    works: { ok, checkedAt: '2026-11-20T08:00:00Z', missing: { classes: ['Weave'], models: ['checkpoints/silk.pt'] } },
  })

  it('says whether it works, and nothing if unknown', async () => {
    const open = (ok: boolean | null) => setup(null, { 'GET /api/public/workflow-api/app-1': { body: works(ok) } })
    const working = open(true)
    expect(await screen.findByText('Works today')).toBeTruthy()
    working.unmount()

    const unknown = open(null)
    await screen.findByLabelText('Caption')
    expect(screen.queryByText(/Works today|No worker can run this app/)).toBeNull()
    unknown.unmount()

    open(false)
    expect(await screen.findByText('No worker can run this app at the moment.')).toBeTruthy()
    expect(screen.queryByText('Weave'), 'other users see what is missing').toBeNull()
    expect(screen.getByRole('button', { name: 'Sign in to run' }), 'a run waits for a worker').toBeTruthy()
  })

  it('tells its author what is missing, with a link to the setup', async () => {
    setup(user({ _id: 'u' }), { 'GET /api/general/workflow-api/app-1': { body: works(false) } })
    expect(await screen.findByText('This app does not work today.')).toBeTruthy()
    expect(screen.getByText('Weave')).toBeTruthy()
    expect(screen.getByText('checkpoints/silk.pt')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Open the API setup' }).getAttribute('href')).toBe('/workflow-api/w')
  })

  it('hides the post of a shared app', async () => {
    const { inputs: _, ...shared } = app
    const parts = { facts: () => <i>{'facts'}</i>, below: () => <i>{'comments'}</i> }
    const own = setup(user(), {}, undefined, parts)
    expect(await screen.findByText('facts')).toBeTruthy()
    expect(screen.getByText('comments')).toBeTruthy()
    own.unmount()

    setup(user(), { 'GET /api/general/workflow-api/app-1': { body: shared } }, undefined, parts)
    const mark = await screen.findByRole('link', { name: 'Shared with you' })
    expect(mark.getAttribute('href')).toBe('/apps?tab=shared')
    expect(await screen.findByLabelText('Caption')).toBeTruthy()
    expect(screen.queryByText('facts')).toBeNull()
    expect(screen.queryByText('comments')).toBeNull()
  })
})
