import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { userQuery } from '@/features/auth'
import { user, workflow } from '@/shared/testing/factories'
import { draftOn, FLOW, frameAddress, graphOf, own, save, setup, setWidth, standIn } from './testing'

beforeEach(() => setWidth('desktop'))

const PATH = `/comfyui?flow=${FLOW}`
const PATCH = `PATCH /api/general/workflow/${FLOW}`
const leaveDialog = () => screen.findByRole('dialog', { name: 'Leave without saving?' })

describe('leaving', () => {
  it('asks at once after an edit, and says what happens to it', async () => {
    const draft = draftOn(FLOW)
    const { router } = setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    act(() => void router.navigate('/workflows'))
    const dialog = within(await leaveDialog())
    expect(dialog.getByText(/They are kept as a draft/)).toBeTruthy()
    expect(draft.stored()?.workflow).toBe(graphOf(1, 2))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(router.state.location.pathname).toBe('/comfyui')
  })

  it('says that changes are lost if they cannot be kept', async () => {
    const { router } = setup(PATH, { [`PUT /api/general/workflow/${FLOW}/draft`]: { status: 503 } })
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    act(() => void router.navigate('/workflows'))
    expect(within(await leaveDialog()).getByText(/They are lost if you leave/)).toBeTruthy()
  })

  it('does not ask where nothing has changed', async () => {
    const { router } = setup(PATH)
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1))
    act(() => void router.navigate('/workflows'))
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflows'))
  })

  it('asks before another project is opened', async () => {
    const { router } = setup(PATH)
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    act(() => void router.navigate('/comfyui?new=true'))
    await userEvent.click(within(await leaveDialog()).getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(frameAddress()).toBe('/comfyui-editor/?new=true'))
  })

  it('to the edit page saves first, also directly after an edit', async () => {
    const { router, sent } = setup(PATH, { [PATCH]: { body: { ...own, version: 2 } } })
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    await userEvent.click(screen.getByRole('button', { name: 'Publish' }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/workflows/edit/${FLOW}`))
    expect(router.state.location.search).toBe('?isUpload=true')
    expect(sent('PATCH', FLOW)[0]?.body).toMatchObject({ prompt: { workflow: JSON.parse(graphOf(1, 2)) } })
  })
})

describe('saving again', () => {
  it('while a save runs makes the next version of what has changed', async () => {
    let version = 1
    let answer: () => void = () => undefined
    const first = new Promise<void>((done) => {
      answer = done
    })
    const { sent } = setup(PATH, {
      [PATCH]: async () => {
        if (version === 1) await first
        version += 1
        return { body: { ...own, version } }
      },
    })
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    await editor.say({ type: 'saveRequested' })
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(1))
    await editor.edit(graphOf(1, 2, 3))
    await editor.say({ type: 'saveRequested' })
    answer()
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(2))
    expect(sent('PATCH', FLOW).map(({ body }) => body)).toMatchObject([
      { baseVersion: 1, prompt: { workflow: JSON.parse(graphOf(1, 2)) } },
      { baseVersion: 2, prompt: { workflow: JSON.parse(graphOf(1, 2, 3)) } },
    ])
    expect(await screen.findByText('Saved', { selector: 'header *' })).toBeTruthy()
  })

  it('by a double click writes once', async () => {
    const { router, sent } = setup('/comfyui?new=true', {
      'POST /api/general/workflow': { status: 201, body: { ...own, _id: 'made' } },
    })
    const editor = standIn()
    await editor.open({ flow: null })
    await userEvent.dblClick(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(router.state.location.search).toBe('?flow=made'))
    await editor.edit(graphOf(1))
    expect([sent('POST', '/workflow').length, sent('PATCH', 'made').length]).toEqual([1, 0])
  })

  it('follows Ctrl+S outside the frame', async () => {
    const { sent } = setup(PATH, { [PATCH]: { body: { ...own, version: 2 } } })
    const editor = standIn()
    await editor.open()
    await userEvent.keyboard('{Control>}s{/Control}')
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(1))
  })
})

it('saves the graph of a deleted workflow as a new one', async () => {
  const gone = { status: 404, body: { code: 'NOT_FOUND', message: 'gone' } }
  const { router } = setup(PATH, {
    [PATCH]: gone,
    'POST /api/general/workflow/copy': gone,
    'POST /api/general/workflow': { status: 201, body: { ...own, _id: 'made' } },
  })
  await standIn().open()
  await save()
  const dialog = within(await screen.findByRole('dialog', { name: 'Save as copy' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save copy' }))
  await waitFor(() => expect(router.state.location.search).toBe('?flow=made'))
})

it("does not rename another user's workflow", async () => {
  const others = workflow({ user: { _id: 'user-2', name: 'Ann', profile: null } })
  setup(PATH, { [`GET /api/general/workflow/${FLOW}`]: { body: others } })
  const editor = standIn()
  await editor.open()
  await editor.edit(graphOf(1, 2))
  await screen.findByText('Not saved')
  expect(screen.getByLabelText('Project name')).toHaveProperty('readOnly', true)
})

it('keeps the graph while the session has ended, and stores it when the user has signed in again', async () => {
  const draft = draftOn(FLOW)
  const { client } = setup(PATH, draft.handlers)
  const editor = standIn()
  await editor.open()
  const frame = document.querySelector('iframe')
  await act(async () => void client.setQueryData(userQuery().queryKey, null))
  expect(await screen.findByText('Sign in to use the node editor')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  await editor.edit(graphOf(1, 2))
  await act(async () => void client.setQueryData(userQuery().queryKey, user()))
  await act(async () => void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'auth' }))
  await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(1, 2)))
  expect(document.querySelector('iframe')).toBe(frame)
  await save()
})

it('offers to load a frame again that does not start', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 50 })
  setup(PATH)
  await waitFor(() => expect(frameAddress()).toBeTruthy())
  const frame = document.querySelector('iframe')
  await act(() => vi.advanceTimersByTimeAsync(31_000))
  expect(screen.getByText('The editor has not started yet')).toBeTruthy()
  vi.useRealTimers()
  await userEvent.click(screen.getByRole('button', { name: 'Load it again' }))
  await waitFor(() => expect(document.querySelector('iframe')).not.toBe(frame))
  expect(frameAddress()).toBe(`/comfyui-editor/?flow=${FLOW}`)
})
