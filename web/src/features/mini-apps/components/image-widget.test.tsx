import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { asset } from '@/shared/testing/factories'
import { FakeUpload } from '@/shared/testing/fake-upload'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import type { WidgetProps } from '@/shared/ui/schema-form/widget'
import type { KnownImage } from '../draft'
import { AudioWidget, ImageWidget, TextFileWidget } from './image-widget'

const picture = (name = 'boat.png', type = 'image/png', size = 10) => {
  const file = new File(['x'], name, { type })
  Object.defineProperty(file, 'size', { value: size })
  return file
}

function setup({ signedIn = true, widget: Widget = ImageWidget, fields = 1 } = {}) {
  const mayUpload = vi.fn(() => signedIn)
  const release = vi.fn()
  const trackUpload = vi.fn(() => release)
  const seen: { value: string | undefined } = { value: undefined }
  function Host() {
    const [value, setValue] = useState<string>()
    const [images, setImages] = useState<Record<string, KnownImage>>({})
    seen.value = value
    const context = {
      images,
      rememberImage: (image: KnownImage) => setImages({ [image.id]: image }),
      mayUpload,
      trackUpload,
      countOf: () => fields,
    }
    const props = { id: 'image', value, onChange: setValue, field: {}, context }
    return <Widget {...(props as unknown as WidgetProps)} />
  }
  renderApp(<Host />)
  const choose = (file: File) => fireEvent.change(screen.getByTestId('image-file'), { target: { files: [file] } })
  return { seen, mayUpload, choose, trackUpload, release }
}

const firstRequest = () =>
  waitFor(() => {
    const request = FakeUpload.sent[0]
    if (!request) throw new Error('nothing was sent')
    return request
  })

beforeEach(() => {
  FakeUpload.sent = []
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
})

describe('the image field', () => {
  it('uploads with progress, shows the picture and uses its id as value', async () => {
    const requests = stubApi({ 'POST /api/general/input-asset': { status: 201, body: {} } })
    // biome-ignore lint/suspicious/noDocumentCookie: the server sets this cookie; the newer store is not in jsdom.
    document.cookie = 'XSRF-TOKEN=to%2Fken'
    const { seen, choose, trackUpload, release } = setup()
    choose(picture())
    const request = await firstRequest()
    expect(request.headers['X-XSRF-TOKEN']).toBe('to/ken')
    expect(trackUpload).toHaveBeenCalledOnce()
    expect(release).not.toHaveBeenCalled()
    request.upload.onprogress?.({ lengthComputable: true, loaded: 3, total: 4 })
    expect(await screen.findByText('Uploading 75%')).toBeTruthy()
    request.answer(201, asset())
    expect(await screen.findByAltText('Chosen picture boat.png')).toBeTruthy()
    expect(seen.value).toBe('asset-1')
    expect(requests[0]?.body, 'a picture for a run was shown to everybody').toEqual({
      asset: 'asset-1',
      isPrivate: true,
    })
    await waitFor(() => expect(release).toHaveBeenCalledOnce())
  })

  it('rejects files above 20 MB without sending them', async () => {
    const { choose } = setup()
    choose(picture('big.png', 'image/png', 20_971_521))
    expect((await screen.findByRole('alert')).textContent).toBe(
      'File size must not exceed 20MB. Please select a smaller file.',
    )
    expect(FakeUpload.sent).toHaveLength(0)
  })

  it('accepts a file of exactly 20 MB', async () => {
    const { choose } = setup()
    choose(picture('edge.png', 'image/png', 20_971_520))
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
  })

  it('rejects files that are no images, locally and by the server', async () => {
    const { choose } = setup()
    choose(picture('notes.txt', 'text/plain'))
    expect((await screen.findByRole('alert')).textContent).toBe('This file is not a picture.')
    choose(picture('liar.png'))
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
    FakeUpload.sent[0]?.answer(415, { code: 'FILE_NOT_AN_IMAGE', message: 'no' })
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This file is not a picture.'))
  })

  it('can cancel an upload', async () => {
    const { seen, choose } = setup()
    choose(picture())
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel upload' }))
    expect(await screen.findByText('Drop a picture, paste it, or click to choose')).toBeTruthy()
    expect(screen.queryByRole('alert')).toBeNull()
    expect(seen.value).toBeUndefined()
  })

  it('accepts dropped and pasted pictures', async () => {
    setup()
    fireEvent.drop(screen.getByText('Drop a picture, paste it, or click to choose'), {
      dataTransfer: { files: [picture()] },
    })
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
    fireEvent.paste(document, { clipboardData: { files: [picture('pasted.png')] } })
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(2))
  })

  it('asks guests to sign in instead of uploading', async () => {
    const { mayUpload, choose } = setup({ signedIn: false })
    choose(picture())
    await userEvent.click(screen.getByRole('button', { name: 'My Images' }))
    expect(mayUpload).toHaveBeenCalledTimes(2)
    expect(FakeUpload.sent).toHaveLength(0)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('offers uploaded pictures', async () => {
    const old = asset({ _id: 'asset-9', name: 'old.png' })
    const items = [{ _id: 'input-1', user: 'user-1', asset: old, isPrivate: false, createdAt: old.createdAt }]
    const pagination = { currentPage: 1, totalPages: 1, totalCount: 1, limit: 20 }
    stubApi({ 'GET /api/general/input-asset/my': { body: { items, pagination } } })
    const { seen } = setup()
    await userEvent.click(screen.getByRole('button', { name: 'My Images' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Use old.png' }))
    expect(seen.value).toBe('asset-9')
  })

  it("shows the server's reason for a rejected file", async () => {
    const { choose } = setup()
    choose(picture('photo.avif', 'image/avif'))
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
    const details = { format: 'AVIF', taken: 'PNG and JPEG' }
    FakeUpload.sent[0]?.answer(415, { code: 'FILE_FORMAT_UNSUPPORTED', message: 'no', details })
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('AVIF files are not supported'))
  })
})

describe('sound and video fields', () => {
  it('upload to their own endpoint and play the file', async () => {
    stubApi({ 'POST /api/general/input-asset': { status: 201, body: {} } })
    const { seen, choose } = setup({ widget: AudioWidget })
    choose(picture('song.png'))
    expect((await screen.findByRole('alert')).textContent).toBe('This file is not a sound.')
    choose(picture('song.mp3', 'audio/mpeg'))
    const request = await firstRequest()
    request.answer(201, asset({ kind: 'Audio', name: 'song.mp3' }))
    expect(await screen.findByLabelText('Chosen sound song.mp3')).toBeTruthy()
    expect(seen.value).toBe('asset-1')
  })
})

describe('the text file field', () => {
  const table = (type = 'text/csv') => picture('prices.csv', type)
  const stub = (lines: string) => {
    stubApi({ 'POST /api/general/input-asset': { status: 201, body: {} } })
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', (request: Request) =>
      request.url.includes('/media/raw/') ? Promise.resolve(new Response(lines)) : answer(request),
    )
  }

  it('uploads, and shows name, size and first lines', async () => {
    stub(`item,price\n${'boat,1\n'.repeat(20)}`)
    const { seen, choose } = setup({ widget: TextFileWidget })
    choose(table())
    const request = await firstRequest()
    expect(request.body?.get('json')).toBe('{"name":"prices.csv","kind":"Text"}')
    expect(request.body?.get('text')).toMatchObject({ name: 'prices.csv' })
    request.answer(201, asset({ kind: 'Text', name: 'prices.csv', url: '/media/raw/abc.txt', sizeBytes: 12_345 }))
    const lines = await screen.findByRole('region', { name: 'First lines of prices.csv' })
    await waitFor(() => expect(lines.textContent).toBe(`item,price\n${'boat,1\n'.repeat(11).trimEnd()}`))
    expect(screen.getByText('prices.csv · 12 kB')).toBeTruthy()
    expect(seen.value).toBe('asset-1')
    await userEvent.click(screen.getByRole('button', { name: 'Remove text file' }))
    expect(seen.value).toBeNull()
  })

  it('takes texts of all types, and refuses pictures, large files and what the server refuses', async () => {
    const { choose } = setup({ widget: TextFileWidget })
    choose(picture())
    expect((await screen.findByRole('alert')).textContent).toBe('This file is not a text.')
    choose(picture('big.txt', 'text/plain', 2_097_153))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('2MB'))
    expect(FakeUpload.sent).toHaveLength(0)
    for (const type of ['application/json', 'application/vnd.ms-excel', '', 'text/plain']) choose(table(type))
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(4))
    FakeUpload.sent[3]?.answer(415, { code: 'FILE_NOT_TEXT', message: 'no' })
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('This file is not a text.'))
  })

  it('takes a pasted file as the only such field, and pasted words with the focus', async () => {
    setup({ widget: TextFileWidget })
    fireEvent.paste(document, { clipboardData: { files: [picture()], getData: () => '' } })
    fireEvent.paste(document, { clipboardData: { files: [], getData: () => 'words of another field' } })
    fireEvent.paste(document, { clipboardData: { files: [table()], getData: () => '' } })
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel upload' }))
    const drop = await screen.findByRole('button', { name: /Drop a text file/ })
    drop.focus()
    fireEvent.paste(drop, { clipboardData: { files: [], getData: () => 'a, b' } })
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(2))
    expect(FakeUpload.sent[1]?.body?.get('text')).toMatchObject({ name: 'pasted.txt', size: 4 })
  })

  it('leaves a pasted file to the focused one of several fields', async () => {
    setup({ widget: TextFileWidget, fields: 2 })
    fireEvent.paste(document, { clipboardData: { files: [table()], getData: () => '' } })
    expect(FakeUpload.sent).toHaveLength(0)
    screen.getByRole('button', { name: /Drop a text file/ }).focus()
    fireEvent.paste(document, { clipboardData: { files: [table()], getData: () => '' } })
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
  })
})
