import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { asset, job } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { type ReadForm, readForm } from '@/shared/ui/schema-form/read-form'
import EarlierRuns from './earlier-runs'

const form = readForm(
  { type: 'object', properties: { text: { type: 'string' }, picture: { type: 'string' } } },
  { picture: { 'ui:widget': 'image' } },
) as ReadForm
const RUNS = 'GET /api/general/job'
const FILE = 'GET /api/general/input-asset'
const done = (id: string, text: string, more: object = {}) =>
  job({
    _id: id,
    status: 'Done',
    endedAt: '2026-11-20T08:00:09Z',
    form: { text, picture: 'asset-1' },
    result: { outputAsset: 'p', kind: 'image', thumbnailUrl: '/t.webp', isNsfw: false, isPrivate: true, count: 3 },
    ...more,
  })
const page = (...items: unknown[]) => ({ body: { items, nextCursor: null } })

/** `ended` is the job of the page; `next` is the one that ends when the button is pressed. */
function open(handlers: Parameters<typeof stubApi>[0], ended: string | null = null, next: string | null = null) {
  const requests = stubApi(handlers)
  const onUse = vi.fn()
  function Around() {
    const [id, setId] = useState(ended)
    return (
      <>
        <button type="button" aria-label="end" onClick={() => setId(next)} />
        <EarlierRuns app="app-1" form={form} ended={id} disabled={false} onUse={onUse} />
      </>
    )
  }
  return { requests, onUse, ...renderApp(<Around />) }
}
const roomy = (matches: boolean) => {
  const list = { matches, addEventListener: () => undefined, removeEventListener: () => undefined }
  vi.stubGlobal('matchMedia', () => list)
}

beforeEach(() => roomy(true))

it('lists the runs of this app with results and links to their jobs', async () => {
  const failed = job({ _id: 'job-2', status: 'ExecuteError', form: { text: 'storm' } })
  const { requests } = open({ [RUNS]: page(done('job-1', 'night'), failed) })
  const [first, second] = await screen.findAllByRole('listitem')
  expect(new URLSearchParams(requests[0]?.search).get('workflowApi')).toBe('app-1')
  const night = within(first as HTMLElement)
  expect(night.getByText('night')).toBeTruthy()
  expect(night.getByAltText('Picture from this run')).toBeTruthy()
  expect(night.getByText('+2')).toBeTruthy()
  expect(night.getByRole('link', { name: /Open the job/ }).getAttribute('href')).toBe('/jobs/job-1')
  expect(within(second as HTMLElement).getByText('Execution error')).toBeTruthy()
})

it('shows text of runs without pictures, and the number of sounds', async () => {
  open({
    [RUNS]: page(done('job-1', 'a', { result: null }), done('job-2', 'b', { result: null })),
    'GET /api/general/job/job-1/api-outputs': {
      body: [{ nodeId: '9', name: 'W', outputs: { text: ['made of silk'] } }],
    },
    'GET /api/general/job/job-2/api-outputs': {
      body: [{ nodeId: '9', name: 'S', outputs: { audio: [{ url: '/s.mp3' }] } }],
    },
  })
  expect(await screen.findByText('made of silk')).toBeTruthy()
  expect(await screen.findByText('1 sound')).toBeTruthy()
})

it('fills in the values with their files, and says which files are gone', async () => {
  let file: unknown[] = [{ _id: 'i', asset: asset(), isPrivate: true, createdAt: '' }]
  const { onUse, requests } = open({ [RUNS]: page(done('job-1', 'night')), [FILE]: () => page(...file) })
  const use = await screen.findByRole('button', { name: /^Use these values again/ })
  await userEvent.click(use)
  await waitFor(() => expect(onUse).toHaveBeenCalledOnce())
  expect(onUse.mock.calls[0]?.[0]).toMatchObject({
    values: { text: 'night', picture: 'asset-1' },
    images: { 'asset-1': { name: 'boat.png' } },
  })
  expect(await screen.findByText('The values of that run are filled in, including its seed.')).toBeTruthy()
  const asked = requests.find(({ path }) => path.endsWith('input-asset'))
  expect(JSON.parse(new URLSearchParams(asked?.search).get('filter') ?? '')).toEqual({ asset: 'asset-1' })

  file = []
  await userEvent.click(use)
  await waitFor(() => expect(onUse).toHaveBeenCalledTimes(2))
  expect(onUse.mock.calls[1]?.[0]).toMatchObject({ values: { text: 'night' }, images: {} })
  expect(onUse.mock.calls[1]?.[0].values).not.toHaveProperty('picture')
  expect(await screen.findByText('A file from that run is no longer in your files.')).toBeTruthy()
})

it('leaves the form unchanged if the files cannot be checked', async () => {
  const { onUse } = open({
    [RUNS]: page(done('job-1', 'night')),
    [FILE]: { status: 500, body: { code: 'INTERNAL', message: 'broken' } },
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Use these values again/ }))
  expect(await screen.findByText(/The values could not be filled in/)).toBeTruthy()
  expect(onUse).not.toHaveBeenCalled()
})

it("includes the page's run once it has ended, after one refetch", async () => {
  let made = [done('job-1', 'night')]
  const { requests } = open({ [RUNS]: () => page(...made) }, 'job-1', 'job-2')
  await screen.findByText('night')
  const asked = () => requests.filter(({ path }) => path === '/api/general/job').length
  expect(asked(), 'an ended run is not refetched').toBe(1)
  made = [done('job-2', 'storm'), ...made]
  await userEvent.click(screen.getByRole('button', { name: 'end' }))
  expect(await screen.findByText('storm')).toBeTruthy()
  expect(asked()).toBe(2)
})

it('loads more on demand, and shows empty and failed lists', async () => {
  const second = new URLSearchParams({ cursor: 'c' }).toString()
  const list = open({
    [RUNS]: ({ url }) =>
      url.includes(second)
        ? page(done('job-2', 'storm'))
        : { body: { items: [done('job-1', 'night')], nextCursor: 'c' } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Show more runs' }))
  expect(await screen.findByText('storm')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show more runs' })).toBeNull()
  list.unmount()

  const none = open({ [RUNS]: page() })
  expect(await screen.findByText(/You have not run this app yet/)).toBeTruthy()
  none.unmount()

  open({ [RUNS]: { status: 503, body: { code: 'UNAVAILABLE', message: 'later' } } })
  expect(await screen.findByRole('button', { name: 'Try Again' })).toBeTruthy()
})

it('is closed on phones, and requests nothing until opened', async () => {
  roomy(false)
  const { requests } = open({ [RUNS]: page(done('job-1', 'night')) })
  const opener = screen.getByRole('button', { name: 'Earlier runs' })
  expect(opener.getAttribute('aria-expanded')).toBe('false')
  expect(requests).toHaveLength(0)
  await userEvent.click(opener)
  expect(await screen.findByText('night')).toBeTruthy()
  await userEvent.click(opener)
  expect(screen.queryByText('night')).toBeNull()
})
