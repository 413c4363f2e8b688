import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keys } from '@/shared/api/keys'
import { fileStorage } from '@/shared/lib/file-storage'
import { user } from '@/shared/testing/factories'
import { FakeUpload } from '@/shared/testing/fake-upload'
import { RUNS_STORAGE } from '../draft'
import {
  cards,
  choose,
  events,
  file,
  finishUpload,
  miniApp,
  picture,
  press,
  RUN,
  setup,
  simple,
  status,
  stubBrowser,
} from '../simple-app-testing'

beforeEach(stubBrowser)
afterEach(() => vi.restoreAllMocks())

const names = (count: number) => Array.from({ length: count }, (_, at) => `${at}.png`)
const sent = (requests: ReturnType<typeof setup>['requests']) =>
  requests.filter(({ path, method }) => method === 'POST' && path === '/api/general/job/workflow-api/app-1')

describe('pictures of which some fail', () => {
  it('are counted, and tried again together', async () => {
    let jobs = 0
    let isRefused = true
    const { requests } = setup(user(), {
      [RUN]: () => {
        jobs += 1
        if (isRefused && jobs > 1) return { status: 422, body: { code: 'INVALID_PROMPT', message: 'too small' } }
        return { status: 201, body: { _id: 'job-1', status: 'Pending', seeds: {}, nodeErrors: {} } }
      },
    })
    await choose(names(3).map((name) => file(name)))
    for (const at of [0, 1, 2]) await finishUpload(at, `${at}.png`)
    await press('Remove 3 backgrounds')
    expect(await screen.findByText('0 of 3 finished · 2 failed')).toBeTruthy()
    isRefused = false
    await press('Try 2 failed pictures again')
    expect(document.activeElement?.textContent).toBe('Your pictures')
    await waitFor(() => expect(sent(requests)).toHaveLength(5))
    expect(screen.getByText('0 of 3 finished')).toBeTruthy()
  })

  it('are not offered again if the server refuses the file', async () => {
    setup(user())
    await choose([file('photo.heic', 'image/heic'), file('boat.png')])
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(2))
    const details = { format: 'HEIC', taken: 'PNG and JPEG' }
    FakeUpload.sent[0]?.answer(415, { code: 'FILE_FORMAT_UNSUPPORTED', message: 'no', details })
    await waitFor(() => expect(cards()[0]?.textContent).toContain('HEIC files are not supported'))
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
    await finishUpload(1)
    await press('Remove the background')
    expect(await screen.findByText('0 of 1 finished · 1 failed')).toBeTruthy()
  })

  it('show a symbol where the browser cannot show the file', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    try {
      setup(null)
      await choose([file('photo.heic', 'image/heic')])
      fireEvent.error(await screen.findByAltText('photo.heic'))
      await act(() => vi.advanceTimersByTimeAsync(2_000))
      fireEvent.error(screen.getByAltText('photo.heic'))
      expect(screen.getByRole('img', { name: 'photo.heic' }).tagName).toBe('SPAN')
    } finally {
      vi.useRealTimers()
    }
  })

  it('leave the focus at the list when one is removed', async () => {
    setup(null)
    await choose([file('one.png'), file('two.png')])
    const focus = vi.spyOn(HTMLElement.prototype, 'focus')
    await press('Remove one.png')
    expect(document.activeElement?.textContent).toBe('Your pictures')
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true })
    expect(cards()).toHaveLength(1)
    await press('Remove two.png')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Add pictures')
    expect(screen.queryByRole('region', { name: 'Your pictures' })).toBeNull()
  })
})

type Entry = { name: string; isFile: boolean; isDirectory: boolean }
const fileEntry = (name: string, type = 'image/png'): Entry => ({
  name,
  isFile: true,
  isDirectory: false,
  ...{ file: (done: (file: File) => void) => done(file(name, type)) },
})
const folderEntry = (name: string, children: Entry[]): Entry => ({
  name,
  isFile: false,
  isDirectory: true,
  ...{
    createReader: () => {
      const parts = [children.slice(0, 2), children.slice(2), []]
      return { readEntries: (done: (part: Entry[]) => void) => done(parts.shift() ?? []) }
    },
  },
})
const dropOf = (entries: Entry[]) => ({
  dataTransfer: {
    types: ['Files'],
    files: [file('holiday', '')],
    items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
  },
})

describe('a dropped folder', () => {
  it('adds its pictures and those of its folders, in order', async () => {
    setup(null)
    const inner = folderEntry('beach', [fileEntry('3.png')])
    const holiday = folderEntry('holiday', [fileEntry('10.png'), fileEntry('2.png'), fileEntry('.DS_Store', ''), inner])
    fireEvent.drop(await screen.findByRole('button', { name: /Drop pictures/ }), dropOf([holiday]))
    await waitFor(() => expect(cards()).toHaveLength(3))
    expect(cards().map(({ textContent }) => textContent?.match(/\d+\.png/)?.[0])).toEqual(['2.png', '10.png', '3.png'])
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('without a picture says so', async () => {
    setup(null)
    fireEvent.drop(await screen.findByRole('button', { name: /Drop pictures/ }), dropOf([folderEntry('empty', [])]))
    expect((await screen.findByRole('alert')).textContent).toBe('There was no picture in it.')
  })

  it('of many other files names some of them and counts the rest', async () => {
    setup(null)
    const notes = Array.from({ length: 9 }, (_, at) => fileEntry(`${at}.txt`, 'text/plain'))
    fireEvent.drop(await screen.findByRole('button', { name: /Drop pictures/ }), dropOf([folderEntry('notes', notes)]))
    expect(await screen.findByText('4 more files were left out.')).toBeTruthy()
    expect(screen.getAllByRole('alert')).toHaveLength(6)
  })
})

const dropBeside = (name: string) =>
  fireEvent.drop(document.body, { dataTransfer: { types: ['Files'], files: [file(name)] } }) ? 'opened' : 'taken'

it('takes a picture that is dropped beside the area, instead of letting the browser open it', async () => {
  setup(null)
  await screen.findByRole('button', { name: /Drop pictures/ })
  // The area can be shown an instant before the page listens. A drop that is not taken changes nothing.
  await waitFor(() => expect(dropBeside('beside.png')).toBe('taken'))
  await waitFor(() => expect(cards()[0]?.textContent).toContain('beside.png'))
  expect(cards()).toHaveLength(1)
})

describe('a face swap', () => {
  const two = miniApp({ photo: picture, face: picture }, ['photo', 'face'])
  const show = () => setup(null, { 'GET /api/public/workflow-api/app-1': { body: two } }, 'face-swap')

  it('keeps its page and its pictures when a file is dropped after both are chosen', async () => {
    show()
    await choose([file('person.png')], 'target')
    await choose([file('face.png')], 'face')
    await waitFor(() => expect(dropBeside('late.png')).toBe('taken'))
    for (const name of ['person.png', 'face.png']) expect(screen.getByAltText(`Chosen picture ${name}`)).toBeTruthy()
  })

  it('takes the first picture of a folder, and says so if it has none', async () => {
    show()
    const face = within(await screen.findByRole('region', { name: 'Face' }))
    const drop = (entries: Entry[]) =>
      fireEvent.drop(face.getByTestId('face-file'), dropOf([folderEntry('faces', entries)]))
    drop([])
    expect((await face.findByRole('alert')).textContent).toBe('There was no picture in it.')
    drop([fileEntry('a.txt', 'text/plain'), fileEntry('b.png')])
    expect(await face.findByAltText('Chosen picture b.png')).toBeTruthy()
  })
})

it('shows some frames of a moving picture, and where the others are', async () => {
  setup(user())
  await choose([file('dance.gif', 'image/gif')])
  await finishUpload(0, 'dance.gif')
  await press('Remove the background')
  const live = await events('job-1')
  const images = Array.from({ length: 20 }, (_, at) => ({ url: `/media/raw/${at}.png`, outputAsset: `out-${at}` }))
  live.send('outputs', [{ nodeId: '9', name: '', outputs: { images } }])
  live.send('status', status({ status: 'Done' }))
  expect(await screen.findByText('17 more results.')).toBeTruthy()
  expect(screen.getAllByRole('slider')).toHaveLength(3)
  expect(screen.getByRole('link', { name: 'Open the job' }).getAttribute('href')).toBe('/jobs/job-1')
  expect(screen.getByRole('button', { name: 'Download all' })).toBeTruthy()
})

describe('an app that goes while its page is open', () => {
  const address = 'GET /api/public/simple-app/background-remover'
  const unbound = simple('background-remover', { state: 'Unbound', workflow: null, workflowApi: null })

  it('leaves the results of the page', async () => {
    let app = simple('background-remover')
    const { client } = setup(user(), { [address]: () => ({ body: app }) })
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    const live = await events('job-1')
    live.send('outputs', [{ nodeId: '9', name: '', outputs: { images: [{ url: '/media/raw/cut.png' }] } }])
    live.send('status', status({ status: 'Done' }))
    expect(await screen.findByText('Complete')).toBeTruthy()
    app = unbound
    await client.invalidateQueries({ queryKey: keys.miniApps.simple })
    expect(await screen.findByRole('region', { name: 'This app is not set up here yet' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Remove the background' })).toBeNull()
    expect(within(cards()[0] as HTMLElement).getByText('Complete')).toBeTruthy()
  })

  it('is noticed when a run is refused', async () => {
    let app = simple('background-remover')
    setup(user(), {
      [address]: () => ({ body: app }),
      [RUN]: { status: 404, body: { code: 'NOT_FOUND', message: 'the app was not found' } },
    })
    await choose([file()])
    await finishUpload(0)
    app = unbound
    await press('Remove the background')
    expect(await screen.findByRole('region', { name: 'This app is not set up here yet' })).toBeTruthy()
  })
})

/** Keeps files as a browser does, even those that are removed: a reload can come before a removal. */
function keepFiles() {
  const kept: { key: string; file: File }[] = []
  vi.spyOn(fileStorage, 'add').mockImplementation(async (_place, key, file) => void kept.push({ key, file }))
  return vi.spyOn(fileStorage, 'read').mockImplementation(async () => kept)
}

it('does not upload a file again that the server has since before a reload', async () => {
  const read = keepFiles()
  const { unmount } = setup(user())
  await choose([file()])
  await finishUpload(0)
  await screen.findByText('Ready to run')
  await waitFor(() => expect(sessionStorage.getItem(`${RUNS_STORAGE}background-remover`)).toContain('asset-0'))
  unmount()
  FakeUpload.sent = []
  read.mockClear()
  const { requests } = setup(user())
  await press('Remove the background')
  await events('job-1')
  expect(read).toHaveBeenCalled()
  expect(FakeUpload.sent).toEqual([])
  expect(cards()).toHaveLength(1)
  expect(sent(requests).map(({ body }) => body)).toEqual([{ photo: 'asset-0' }])
})

describe('a run that was pressed before a reload', () => {
  const reload = async (stores: boolean) => {
    const read = keepFiles()
    if (!stores) read.mockResolvedValue([])
    const { unmount } = setup(user())
    await choose([file()])
    await screen.findByText(/^Uploading/)
    await press('Remove the background')
    unmount()
    FakeUpload.sent = []
    return setup(user())
  }

  it('goes on with its file, once', async () => {
    const { requests } = await reload(true)
    await finishUpload(0)
    await events('job-1')
    expect(cards()).toHaveLength(1)
    expect(sent(requests).map(({ body }) => body)).toEqual([{ photo: 'asset-0' }])
  })

  it('is gone where the browser stores no files', async () => {
    await reload(false)
    await screen.findByRole('button', { name: /Drop pictures/ })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Your pictures' })).toBeNull())
  })
})

it('asks before the tab is closed, only while the server does not know of a run', async () => {
  setup(user())
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  await choose([file()])
  await screen.findByText(/^Uploading/)
  expect(asks()).toBe(false)
  await press('Remove the background')
  expect(asks()).toBe(true)
  await finishUpload(0)
  await events('job-1')
  await waitFor(() => expect(asks()).toBe(false))
})
