import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { asset } from '@/shared/testing/factories'
import { FakeUpload } from '@/shared/testing/fake-upload'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import ImagePicker from './image-picker'

const AT = '2026-11-20T08:00:00Z'
const page = (items: object[]) => ({
  body: { items, pagination: { page: 1, limit: 20, total: items.length, totalPages: 1 } },
})
const noop = () => undefined

beforeEach(() => {
  FakeUpload.sent = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
})
afterEach(() => vi.unstubAllGlobals())

it("one's own file is removed after a confirmation with its name", async () => {
  const boat = { _id: 'i1', asset: asset({ name: 'boat.png' }), isPrivate: true, createdAt: '2026-11-20T08:00:00Z' }
  let items = [boat]
  const requests = stubApi({
    'GET /api/general/input-asset/my': () => ({
      body: { items, pagination: { page: 1, limit: 20, total: items.length, totalPages: 1 } },
    }),
    'DELETE /api/general/input-asset/i1': () => {
      items = []
      return { status: 204 }
    },
  })
  const picked = vi.fn()
  renderApp(<ImagePicker kind="image" title="My Images" onClose={() => undefined} onPick={picked} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete boat.png' }))
  const asked = (await screen.findByText('Delete boat.png?')).closest<HTMLElement>('[role=dialog]')
  if (!asked) throw new Error('no dialog was opened')
  expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(asked).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Use boat.png' })).toBeNull())
  expect(picked, 'the file was taken into the form').not.toHaveBeenCalled()
})

it('requests one kind of files, and names it when there are none', async () => {
  const requests = stubApi({
    'GET /api/general/input-asset/my': () => ({
      body: { items: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 1 } },
    }),
  })
  renderApp(<ImagePicker kind="video" title="My videos" onClose={() => undefined} onPick={() => undefined} />)
  expect(await screen.findByText(/You have no videos yet/)).toBeTruthy()
  expect(requests[0]?.search).toContain('kind=Video')
})

it('uploads chosen, dropped and pasted files one after the other, and lists them', async () => {
  const items: object[] = []
  stubApi({
    'GET /api/general/input-asset/my': () => page([...items]),
    'POST /api/general/input-asset': { status: 201, body: {} },
  })
  renderApp(<ImagePicker kind="image" title="My Images" onClose={noop} onPick={noop} />)
  const picture = (name: string) => new File(['x'], name, { type: 'image/png' })
  const answer = async (number: number, name: string) => {
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(number))
    items.unshift({ _id: name, asset: asset({ _id: name, name }), isPrivate: true, createdAt: AT })
    FakeUpload.sent[number - 1]?.answer(201, asset({ _id: name, name }))
    expect(await screen.findByRole('button', { name: `Use ${name}` })).toBeTruthy()
  }
  fireEvent.change(screen.getByTestId('picker-file'), { target: { files: [picture('a.png'), picture('b.png')] } })
  await answer(1, 'a.png')
  await answer(2, 'b.png')
  fireEvent.drop(screen.getByRole('button', { name: 'Upload' }), { dataTransfer: { files: [picture('c.png')] } })
  await answer(3, 'c.png')
  fireEvent.paste(document, { clipboardData: { files: [picture('d.png')] } })
  await answer(4, 'd.png')
  expect(screen.getByText('d.png was added')).toBeTruthy()
})

it('explains a file of another kind and still uploads the rest', async () => {
  stubApi({ 'GET /api/general/input-asset/my': page([]) })
  renderApp(<ImagePicker kind="image" title="My Images" onClose={noop} onPick={noop} />)
  const files = [new File(['x'], 'a.txt', { type: 'text/plain' }), new File(['x'], 'b.png', { type: 'image/png' })]
  fireEvent.drop(screen.getByRole('button', { name: 'Upload' }), { dataTransfer: { files } })
  expect((await screen.findByRole('alert')).textContent).toBe('This file is not a picture.')
  await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
})

it('stops the uploads of a closed picker, also those that wait', async () => {
  stubApi({ 'GET /api/general/input-asset/my': page([]) })
  const { unmount } = renderApp(<ImagePicker kind="image" title="My Images" onClose={noop} onPick={noop} />)
  const files = ['a.png', 'b.png'].map((name) => new File(['x'], name, { type: 'image/png' }))
  fireEvent.drop(screen.getByRole('button', { name: 'Upload' }), { dataTransfer: { files } })
  await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
  unmount()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(FakeUpload.sent).toHaveLength(1)
})

it('plays a sound before it is picked', async () => {
  const song = asset({ kind: 'Audio', name: 'song.mp3', url: '/media/raw/song.mp3' })
  stubApi({ 'GET /api/general/input-asset/my': page([{ _id: 'i1', asset: song, isPrivate: true, createdAt: AT }]) })
  const picked = vi.fn()
  renderApp(<ImagePicker kind="audio" title="My sounds" onClose={noop} onPick={picked} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Preview of song.mp3' }))
  expect(screen.getByLabelText('Preview of song.mp3').getAttribute('src')).toBe('/media/raw/song.mp3')
  expect(picked).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Close the preview of song.mp3' }))
  await userEvent.click(screen.getByRole('button', { name: 'Use song.mp3' }))
  expect(picked).toHaveBeenCalledWith(song)
})

it('shows the first lines of a text before it is picked, and tries again where they are missing', async () => {
  const notes = asset({ kind: 'Text', name: 'notes.md', url: '/media/raw/notes.txt' })
  stubApi({ 'GET /api/general/input-asset/my': page([{ _id: 'i1', asset: notes, isPrivate: true, createdAt: AT }]) })
  const answer = globalThis.fetch
  let fails = true
  vi.stubGlobal('fetch', (request: Request) => {
    if (!request.url.includes('/media/raw/')) return answer(request)
    expect(request.headers.get('range')).toBe('bytes=0-4095')
    return Promise.resolve(fails ? new Response(null, { status: 404 }) : new Response('# Boats'))
  })
  const picked = vi.fn()
  renderApp(<ImagePicker kind="text" title="My text files" onClose={noop} onPick={picked} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Preview of notes.md' }))
  expect(await screen.findByText('The preview could not be loaded.')).toBeTruthy()
  fails = false
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByText('# Boats')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Close the preview of notes.md' }))
  await userEvent.click(screen.getByRole('button', { name: 'Use notes.md' }))
  expect(picked).toHaveBeenCalledWith(notes)
})
