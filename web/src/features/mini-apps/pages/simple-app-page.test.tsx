import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import type { JobStatus, User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { FakeUpload } from '@/shared/testing/fake-upload'
import {
  cards,
  choose,
  events,
  file,
  finishUpload,
  forgetEvents,
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

describe('a simple app', () => {
  it('shows a run from its upload to the picture beside its input', async () => {
    const { requests } = setup(user())
    await choose([file()])
    await waitFor(() => expect(FakeUpload.sent).toHaveLength(1))
    act(() => FakeUpload.sent[0]?.upload.onprogress?.({ lengthComputable: true, loaded: 4, total: 10 }))
    expect(await screen.findByText('Uploading 40%')).toBeTruthy()
    await press('Remove the background')
    expect(requests.some(({ path }) => path.endsWith('/workflow-api/app-1') && path.includes('job'))).toBe(false)
    await finishUpload(0)
    const live = await events('job-1')
    expect(await screen.findByText('Generating...')).toBeTruthy()
    live.send('status', status({ queue: { position: 3 } as JobStatus['queue'] }))
    expect(await screen.findByText('3 in the queue')).toBeTruthy()
    live.send('status', status({ status: 'Running' }))
    live.send('progress', { nodeId: '3', nodeTitle: 'Cut out', value: 1, max: 4, nodesDone: 0, nodesTotal: 2 })
    expect(await screen.findByText(/Cut out/)).toBeTruthy()
    const cut = { url: '/media/raw/cut.png', outputAsset: 'out-1', width: 4, height: 3 }
    live.send('outputs', [{ nodeId: '9', name: '', outputs: { images: [cut] } }])
    live.send('status', status({ status: 'Done' }))
    expect(await screen.findByText('Complete')).toBeTruthy()
    expect(screen.getByRole('slider', { name: 'Border between input and result' })).toBeTruthy()
    expect(screen.getByAltText('After').getAttribute('src')).toBe('/media/raw/cut.png')
    expect(screen.getByRole('button', { name: 'Download the result for boat.png' })).toBeTruthy()
    expect(screen.getByText('1 of 1 finished')).toBeTruthy()
    const sent = requests.filter(({ path }) => path === '/api/general/job/workflow-api/app-1')
    expect(sent.map(({ body }) => body)).toEqual([{ photo: 'asset-0' }])
  })

  it('asks for a picture when there is none', async () => {
    const { requests } = setup(user())
    await press('Remove the background')
    expect((await screen.findByRole('alert')).textContent).toBe('Please upload an image')
    expect(requests.some(({ method }) => method === 'POST')).toBe(false)
    await choose([file()])
    await waitFor(() => expect(screen.queryByText('Please upload an image')).toBeNull())
  })

  it('keeps the first 20 pictures and names those that are left out', async () => {
    setup(null)
    const files = Array.from({ length: 23 }, (_, at) => file(`${at}.png`))
    await choose(files)
    expect((await screen.findByRole('alert')).textContent).toBe(
      'At most 20 pictures at once. The first ones are kept; 3 pictures were left out.',
    )
    expect(cards()).toHaveLength(20)
    expect(cards()[19]?.textContent).toContain('19.png')
  })

  it('refuses files that are no pictures or too large, and takes the others by drop and paste', async () => {
    setup(null)
    const large = file('large.png')
    Object.defineProperty(large, 'size', { value: 20_971_521 })
    const area = await screen.findByRole('button', { name: /Drop pictures/ })
    fireEvent.drop(area, { dataTransfer: { files: [file('notes.txt', 'text/plain'), large, file('boat.png')] } })
    await waitFor(() => expect(cards()).toHaveLength(1))
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'notes.txt: This file is not a picture.',
      'large.png: File size must not exceed 20MB. Please select a smaller file.',
    ])
    fireEvent.paste(document, { clipboardData: { files: [file('pasted.png')] } })
    await waitFor(() => expect(cards()).toHaveLength(2))
  })

  it('keeps the pictures of a guest over the sign-in', async () => {
    let who: User | null = null
    const { client } = setup(null, {
      'GET /api/auth': () =>
        who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    })
    await choose([file()])
    await press('Sign in to run')
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
    expect(FakeUpload.sent).toHaveLength(0)
    await userEvent.keyboard('{Escape}')
    const mira = user()
    who = mira
    act(() => void client.setQueryData(userQuery().queryKey, mira))
    await act(() => client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth' }))
    expect(cards()[0]?.textContent).toContain('boat.png')
    await finishUpload(0)
    await press('Remove the background')
    expect(await screen.findByText('Generating...')).toBeTruthy()
  })

  it('offers plans when the credits are used up, and keeps the pictures', async () => {
    let refused = true
    const { requests } = setup(user(), {
      [RUN]: () =>
        refused
          ? { status: 402, body: { code: 'OUT_OF_CREDITS', message: 'no' } }
          : { status: 201, body: { _id: 'job-1', status: 'Pending', seeds: {}, nodeErrors: {} } },
    })
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    expect(await screen.findByText('You are out of credits')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See plans' })).toBeTruthy()
    await press('Later')
    expect(screen.queryByText('You are out of credits')).toBeNull()
    expect(cards()[0]?.textContent).toContain('Ready to run')
    refused = false
    await press('Remove the background')
    expect(await screen.findByText('Generating...')).toBeTruthy()
    expect(requests.filter(({ path }) => path === '/api/general/job/workflow-api/app-1')).toHaveLength(2)
  })

  it('explains a failed job with its id, and runs it again', async () => {
    const { requests } = setup(user())
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    const live = await events('job-1')
    const raised = { exception_message: 'out of memory', exception_type: 'OOM' }
    live.send('status', status({ status: 'ExecuteError', executeException: raised }))
    expect(await screen.findByText('Something went wrong. Try again, or share the Job ID with support.')).toBeTruthy()
    expect(cards()[0]?.textContent).toContain('job-1')
    expect(cards()[0]?.textContent).toContain('out of memory')
    await press('Try again')
    await events('job-2')
    const keys = requests
      .filter(({ path }) => path === '/api/general/job/workflow-api/app-1')
      .map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(2)
  })

  it('explains the failure of a model as the page of the job does', async () => {
    setup(user())
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    const live = await events('job-1')
    const raised = { exception_message: 'Allocation on device', exception_type: 'torch.OutOfMemoryError' }
    live.send('status', status({ status: 'ExecuteError', executeException: raised }))
    expect(await screen.findByText(/^The graphics card ran out of memory/)).toBeTruthy()
  })

  it('finds its jobs again after a reload', async () => {
    const { unmount } = setup(user())
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    await events('job-1')
    unmount()
    forgetEvents()
    setup(user())
    const live = await events('job-1')
    expect(cards()[0]?.textContent).toContain('boat.png')
    live.send('outputs', [{ nodeId: '9', name: '', outputs: { images: [{ url: '/media/raw/cut.png' }] } }])
    live.send('status', status({ status: 'Done' }))
    expect(await screen.findByText('Complete')).toBeTruthy()
  })

  it('hides its runs when the session ends, and shows them again after the next sign-in', async () => {
    const { client } = setup(user())
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    await events('job-1')
    act(() => void client.setQueryData(userQuery().queryKey, null))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Your pictures' })).toBeNull())
    act(() => void client.setQueryData(userQuery().queryKey, user()))
    await waitFor(() => expect(cards()[0]?.textContent).toContain('Generating...'))
  })

  it("does not show another user's runs", async () => {
    const { unmount } = setup(user())
    await choose([file()])
    await finishUpload(0)
    await screen.findByText('Ready to run')
    unmount()
    setup(user({ _id: 'user-2' }))
    await screen.findByRole('button', { name: /Drop pictures/ })
    expect(screen.queryByRole('region', { name: 'Your pictures' })).toBeNull()
  })

  it('says why a run was refused', async () => {
    setup(user(), { [RUN]: { status: 422, body: { code: 'INVALID_PROMPT', message: 'the picture is too small' } } })
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    expect(await screen.findByText('Job Create Error: the picture is too small')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('repeats a request that a busy server refuses', async () => {
    let busy = true
    setup(user(), {
      [RUN]: () => {
        if (!busy) return { status: 201, body: { _id: 'job-1', status: 'Pending', seeds: {}, nodeErrors: {} } }
        busy = false
        return { status: 429, body: { code: 'RATE_LIMITED', message: 'no' }, headers: { 'Retry-After': '0' } }
      },
    })
    await choose([file()])
    await finishUpload(0)
    await press('Remove the background')
    expect(await screen.findByText('Generating...')).toBeTruthy()
  })

  it('sends the other fields of the bound app, from the options', async () => {
    const properties = { photo: picture, feather: { type: 'integer', title: 'Feather', default: 2 } }
    const { requests } = setup(user(), { 'GET /api/general/workflow-api/app-1': { body: miniApp(properties) } })
    await choose([file()])
    await finishUpload(0)
    await userEvent.click(await screen.findByText('Options'))
    const field = await screen.findByRole('textbox', { name: /Feather/ })
    await userEvent.clear(field)
    await userEvent.type(field, '5')
    await press('Remove the background')
    await events('job-1')
    const sent = requests.find(({ path }) => path === '/api/general/job/workflow-api/app-1')
    expect(sent?.body).toEqual({ photo: 'asset-0', feather: 5 })
  })

  it('shows what the bound app says of its limits', async () => {
    setup(null)
    expect(await screen.findByText('Works best on plain backgrounds.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Made with the workflow Cutout' }).getAttribute('href')).toBe(
      '/workflows/w',
    )
  })
})

describe('the face swap', () => {
  const two = miniApp({ photo: picture, face: picture }, ['photo', 'face'])
  it('sends the picture and the face in one job', async () => {
    const { requests } = setup(user(), { 'GET /api/general/workflow-api/app-1': { body: two } }, 'face-swap')
    await press('Swap the face')
    expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
      'Please upload an image',
      'Please upload an image',
    ])
    await choose([file('person.png')], 'target')
    await finishUpload(0, 'person.png')
    fireEvent.paste(document, { clipboardData: { files: [file('face.png')] } })
    await finishUpload(1, 'face.png')
    await press('Swap the face')
    await events('job-1')
    const sent = requests.filter(({ path }) => path === '/api/general/job/workflow-api/app-1')
    expect(sent.map(({ body }) => body)).toEqual([{ photo: 'asset-0', face: 'asset-1' }])
    expect(within(screen.getByRole('region', { name: 'Face' })).getByAltText('Chosen picture face.png')).toBeTruthy()
  })
})

describe('image to prompt', () => {
  it('shows the text, to copy or to use as a prompt', async () => {
    setup(user(), {}, 'image-to-prompt')
    await choose([file()])
    await finishUpload(0)
    await press('Describe the picture')
    const live = await events('job-1')
    live.send('outputs', [{ nodeId: '9', name: '', outputs: { text: ['warm dusk, soft light'] } }])
    live.send('status', status({ status: 'Done' }))
    expect(await screen.findByText('warm dusk, soft light')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy text' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Use as prompt' }).getAttribute('href')).toBe(
      '/?wish=warm+dusk%2C+soft+light',
    )
  })
})

describe('a simple app that cannot run', () => {
  const missing = ['ReActorFaceSwap', 'insightface/inswapper_128.onnx']
  it('says what no worker has, and asks the operators for it', async () => {
    const { requests } = setup(
      user(),
      {
        'GET /api/public/simple-app/face-swap': { body: simple('face-swap', { state: 'Waiting', missing }) },
        'GET /api/general/workflow-api/app-1': {
          body: miniApp({ photo: picture, face: picture }, ['photo', 'face']),
        },
        'POST /api/general/requirement-request': { status: 201, body: {} },
      },
      'face-swap',
    )
    const notice = await screen.findByRole('region', { name: 'This app cannot run at the moment' })
    for (const name of missing) expect(within(notice).getByText(name)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Swap the face' })).toBeNull()
    const [, model] = within(notice).getAllByRole('button', { name: 'Ask for it' })
    if (model) await userEvent.click(model)
    expect(await within(notice).findByText('Requested')).toBeTruthy()
    expect(requests.find(({ path }) => path.endsWith('/requirement-request'))?.body).toEqual({
      kind: 'Model',
      folder: 'insightface',
      name: 'inswapper_128.onnx',
    })
    expect(within(notice).queryByText(/Install what is missing/)).toBeNull()
  })

  it('tells admins what to set up when no app is bound', async () => {
    const unbound = simple('face-swap', { state: 'Unbound', workflow: null, workflowApi: null, missing })
    setup(user({ roles: ['Admin'] }), { 'GET /api/public/simple-app/face-swap': { body: unbound } }, 'face-swap')
    const notice = await screen.findByRole('region', { name: 'This app is not set up here yet' })
    expect(within(notice).getByText(/bind it to this page/)).toBeTruthy()
    expect(within(notice).getByRole('link', { name: 'Open the list of workers' })).toBeTruthy()
    const bind = within(notice).getByRole('link', { name: 'Choose the app of this page' })
    expect(bind.getAttribute('href')).toBe('/admin/list/verdigraph-generator?part=apps')
  })

  it('shows a retry when the server does not answer', async () => {
    setup(user(), { 'GET /api/public/simple-app/face-swap': { status: 500, body: {} } }, 'face-swap')
    expect(await screen.findByRole('button', { name: 'Try Again' })).toBeTruthy()
  })
})
