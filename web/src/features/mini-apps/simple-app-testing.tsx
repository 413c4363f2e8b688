import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { JobStatus, User } from '@/shared/api/types'
import { asset, job, jobStatus, quote } from '@/shared/testing/factories'
import { FakeEvents } from '@/shared/testing/fake-events'
import { FakeUpload } from '@/shared/testing/fake-upload'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import SimpleAppPage from './pages/simple-app-page'

export const simple = (address: string, change: object = {}) => ({
  address,
  state: 'Ready',
  workflow: 'w',
  workflowApi: 'app-1',
  name: 'Cutout',
  nameKo: null,
  missing: [],
  ...change,
})
export const picture = { type: 'string', title: 'Picture' }
export const miniApp = (properties: object = { photo: picture }, images = ['photo']) => ({
  _id: 'app-1',
  workflow: {
    _id: 'w',
    name: 'Cutout',
    description: '<p>Works best on plain backgrounds.</p>',
    cover: null,
    user: null,
  },
  inputs: {},
  outputs: {},
  rjsf: {
    schema: { type: 'object', properties, required: images },
    uiSchema: Object.fromEntries(images.map((name) => [name, { 'ui:widget': 'image' }])),
  },
  health: { ok: true, problems: [] },
  works: { ok: true, checkedAt: null, missing: { classes: [], models: [] } },
  updatedAt: '2026-11-20T08:00:00Z',
})
export const RUN = 'POST /api/general/job/workflow-api/app-1'

type Handlers = Parameters<typeof stubApi>[0]

/** The page of a simple app, for a user or a guest. */
export function setup(who: User | null, handlers: Handlers = {}, address = 'background-remover') {
  let jobs = 0
  const requests = stubApi({
    'GET /api/auth': who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    [`GET /api/public/simple-app/${address}`]: { body: simple(address) },
    'GET /api/general/workflow-api/app-1': { body: miniApp() },
    'GET /api/public/workflow-api/app-1': { body: miniApp() },
    'GET /api/general/workflow-api/app-1/quote': { body: quote() },
    'GET /api/public/workflow-api/app-1/quote': { body: quote() },
    'GET /api/public/sign-in-options': { body: { google: false, discord: false } },
    'GET /api/general/job/job-1': { body: job() },
    'GET /api/general/job/job-1/status': { body: jobStatus({ _id: 'job-1' }) },
    'GET /api/general/job/job-1/why': { body: { code: 'NEXT', message: '', details: {} } },
    'POST /api/general/input-asset': { status: 201, body: {} },
    [RUN]: () => {
      jobs += 1
      return { status: 201, body: { _id: `job-${jobs}`, status: 'Pending', seeds: {}, nodeErrors: {} } }
    },
    ...handlers,
  })
  const page = (
    <LoginDialogProvider>
      <SimpleAppPage />
    </LoginDialogProvider>
  )
  return { requests, ...renderApp(page, { path: `/easy-app/${address}` }) }
}

export const file = (name = 'boat.png', type = 'image/png') => new File(['x'], name, { type })
export const choose = async (files: File[], name = 'pictures') =>
  fireEvent.change(await screen.findByTestId(`${name}-file`), { target: { files } })
/** Answers the uploads in their order, each as an asset with the file's place as id. */
export async function finishUpload(at: number, name = 'boat.png') {
  await waitFor(() => expect(FakeUpload.sent.length).toBeGreaterThan(at))
  act(() => FakeUpload.sent[at]?.answer(201, asset({ _id: `asset-${at}`, name, url: `/media/raw/${at}.png` })))
}
export const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))
export const cards = () => within(screen.getByRole('region', { name: 'Your pictures' })).getAllByRole('listitem')
export const events = async (id: string) => {
  await waitFor(() => expect(FakeEvents.all.some(({ url }) => url.includes(id))).toBe(true))
  return FakeEvents.all.findLast(({ url }) => url.includes(id)) as FakeEvents
}
export const status = (change: Partial<JobStatus>) => jobStatus({ _id: 'job-1', ...change })

/** Replaces what the page has of the browser. */
export function stubBrowser() {
  FakeUpload.sent = []
  FakeEvents.all = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  vi.stubGlobal('EventSource', FakeEvents)
  URL.createObjectURL = (blob) => `blob:${blob instanceof File ? blob.name : ''}`
  URL.revokeObjectURL = () => undefined
}

/** Forgets the streams of the page before. */
export const forgetEvents = () => {
  FakeEvents.all = []
}
