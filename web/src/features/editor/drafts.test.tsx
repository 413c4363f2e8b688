import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DRAFT, draftOn, FLOW, graphOf, own, save, setup, setWidth, standIn } from './testing'

beforeEach(() => setWidth('desktop'))

const PATH = `/comfyui?flow=${FLOW}`
const SELECTED = `GET /api/general/workflow/${FLOW}`
/** The server's workflow, with this graph. */
const saved = (graph: string) => ({
  [SELECTED]: ({ url }: Request) => ({
    body: url.includes('select') ? { prompt: JSON.stringify({ workflow: JSON.parse(graph), output: null }) } : own,
  }),
})
/** A tab of the editor with a project that was never saved. */
const NEW = { tab: 'tab-1', flow: null }

describe('drafts of a workflow', () => {
  it('are stored while editing, and deleted when the change is undone', async () => {
    const draft = draftOn(FLOW)
    const { sent } = setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    await waitFor(() => expect(sent('PUT', 'draft')).toHaveLength(1))
    const [{ body } = { body: undefined }] = sent('PUT', 'draft')
    expect(body).toMatchObject({ name: 'Silk', baseVersion: 1, revision: null, workflow: JSON.parse(graphOf(1, 2)) })
    await editor.edit(graphOf(1))
    await waitFor(() => expect(draft.stored()).toBeNull())
  })

  it('of another page are not deleted when the change is undone', async () => {
    const draft = draftOn(FLOW)
    const { requests, sent } = setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    await waitFor(() => expect(sent('PUT', 'draft')).toHaveLength(1))
    draft.replace(DRAFT)
    const before = requests.length
    await editor.edit(graphOf(1))
    await screen.findByText('Saved')
    await waitFor(() => expect(requests.length).toBeGreaterThan(before))
    expect(draft.stored()).toBe(DRAFT)
  })

  it('are restored, and can be discarded', async () => {
    setup(PATH, { ...draftOn(FLOW, DRAFT).handlers, ...saved(graphOf(1)) })
    const editor = standIn()
    await editor.open()
    expect(await screen.findByText(/Unsaved changes from .* were restored/)).toBeTruthy()
    expect(editor.graph()).toBe(DRAFT.workflow)
    await userEvent.click(screen.getByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(editor.graph()).toBe(graphOf(1)))
    expect(screen.queryByText(/were restored/)).toBeNull()
  })

  it('that are discarded leave the latest version open', async () => {
    const later = { ...own, version: 4 }
    const answer = ({ url }: Request) => (url.includes('select') ? { prompt: `{"workflow":${graphOf(5)}}` } : later)
    const { sent } = setup(PATH, {
      ...draftOn(FLOW, DRAFT).handlers,
      [SELECTED]: (request) => ({ body: answer(request) }),
      [`PATCH /api/general/workflow/${FLOW}`]: { body: { ...own, version: 5 } },
    })
    await standIn().open()
    await userEvent.click(await screen.findByRole('button', { name: 'Discard changes' }))
    await waitFor(() => expect(screen.queryByText(/were restored/)).toBeNull())
    await save()
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(1))
    expect(sent('PATCH', FLOW)[0]?.body).toMatchObject({ baseVersion: 4, prompt: { workflow: JSON.parse(graphOf(5)) } })
  })

  it('are restored when the frame is loaded again', async () => {
    const draft = draftOn(FLOW)
    setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(1, 2)))
    const frame = document.querySelector('iframe')
    await editor.reload(graphOf(1))
    await waitFor(() => expect(document.querySelector('iframe')).not.toBe(frame))
    expect(draft.stored()?.workflow).toBe(graphOf(1, 2))
    await editor.open()
    expect(await screen.findByText(/Unsaved changes from .* were restored/)).toBeTruthy()
    expect(editor.graph()).toBe(graphOf(1, 2))
  })

  it('ask when another page has stored one, and replace it if the user wants', async () => {
    const draft = draftOn(FLOW)
    const { sent } = setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open()
    draft.replace(DRAFT)
    await editor.edit(graphOf(1, 2))
    const dialog = within(await screen.findByRole('dialog', { name: 'Changed on another page' }))
    expect(draft.stored()).toBe(DRAFT)
    await userEvent.click(dialog.getByRole('button', { name: "Keep this page's" }))
    await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(1, 2)))
    expect(sent('PUT', 'draft')).toHaveLength(2)
  })

  it('of another page are loaded if the user wants', async () => {
    const draft = draftOn(FLOW)
    setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open()
    draft.replace(DRAFT)
    await editor.edit(graphOf(1, 2))
    const dialog = within(await screen.findByRole('dialog', { name: 'Changed on another page' }))
    await userEvent.click(dialog.getByRole('button', { name: "Load the other page's" }))
    await waitFor(() => expect(editor.graph()).toBe(DRAFT.workflow))
    expect(draft.stored()).toBe(DRAFT)
  })

  it('that cannot be stored now are stored later', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 100 })
    const draft = draftOn(FLOW)
    const put = `PUT /api/general/workflow/${FLOW}/draft`
    let isDown = true
    setup(PATH, {
      ...draft.handlers,
      [put]: (request) => {
        const handler = draft.handlers[put]
        return isDown || typeof handler !== 'function' ? { status: 503 } : handler(request)
      },
    })
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    await screen.findByText('Not saved')
    isDown = false
    await vi.advanceTimersByTimeAsync(12_000)
    await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(1, 2)))
  })

  it('that the server refuses are reported', async () => {
    const refusal = { status: 413, body: { code: 'BODY_TOO_LARGE', message: 'too large' } }
    setup(PATH, { [`PUT /api/general/workflow/${FLOW}/draft`]: refusal })
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    expect(await screen.findByText('Your unsaved changes could not be stored as a draft')).toBeTruthy()
  })
})

describe('the draft of a new project', () => {
  it('is kept at the address without a query, with its name', async () => {
    const draft = draftOn(null)
    const { router } = setup('/comfyui?new=true', draft.handlers)
    const editor = standIn(graphOf())
    await editor.open(NEW)
    await editor.edit(graphOf(1))
    await waitFor(() => expect(draft.stored()?.name).toBe('Untitled'))
    await waitFor(() => expect(router.state.location.search).toBe(''))
    const name = screen.getByLabelText('Project name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Boats{Enter}')
    await waitFor(() => expect(draft.stored()?.name).toBe('Boats'))
  })

  it('is offered beside another new project', async () => {
    const draft = draftOn(null, { ...DRAFT, baseVersion: null })
    setup('/comfyui?new=true', draft.handlers)
    expect(await screen.findByText(/The project “Draft” from .* is not saved/)).toBeTruthy()
    const editor = standIn(graphOf())
    await editor.open(NEW)
    expect(editor.received.some(({ type }) => type === 'loadWorkflow')).toBe(false)
    await editor.edit(graphOf(9))
    const dialog = within(await screen.findByRole('dialog', { name: 'Another unsaved project' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Open the other one' }))
    await waitFor(() => expect(editor.graph()).toBe(DRAFT.workflow))
    expect(await screen.findByDisplayValue('Draft')).toBeTruthy()
    expect(screen.queryByText(/The project “Draft” from .* is not saved/)).toBeNull()
  })

  it('stays when another new project is saved', async () => {
    const draft = draftOn(null, { ...DRAFT, baseVersion: null })
    const { router } = setup('/comfyui?new=true', {
      ...draft.handlers,
      'POST /api/general/workflow': { status: 201, body: { ...own, _id: 'made' } },
    })
    const editor = standIn(graphOf(1))
    await editor.open(NEW)
    await save()
    await waitFor(() => expect(router.state.location.search).toBe('?flow=made'))
    expect(draft.stored()?.name).toBe('Draft')
  })
})

describe('tabs of the editor', () => {
  const OTHER = { tab: 'tab-2', flow: null, name: 'From a file' }

  it('keep the draft of a project that was never saved', async () => {
    const draft = draftOn(null)
    const { sent } = setup('/comfyui', draft.handlers)
    const editor = standIn(graphOf())
    await editor.open(NEW)
    await editor.edit(graphOf(1))
    await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(1)))
    await editor.go(OTHER, graphOf())
    await screen.findByText('New')
    await editor.edit(graphOf(7, 8))
    await screen.findByText('Not saved')
    expect(draft.stored()?.workflow).toBe(graphOf(1))
    await editor.go(NEW, graphOf(1, 2))
    await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(1, 2)))
    expect(sent('DELETE', 'draft')).toHaveLength(0)
  })

  it('store the draft of a graph that came from a file, and the address follows', async () => {
    const draft = draftOn(null)
    const { router } = setup(PATH, draft.handlers)
    const editor = standIn()
    await editor.open({ flow: FLOW })
    await editor.go(OTHER, graphOf(7, 8))
    await waitFor(() => expect(draft.stored()?.workflow).toBe(graphOf(7, 8)))
    expect(await screen.findByDisplayValue('From a file')).toBeTruthy()
    await waitFor(() => expect(router.state.location.search).toBe(''))
    await editor.go({ flow: FLOW }, graphOf(1))
    await waitFor(() => expect(router.state.location.search).toBe(`?flow=${FLOW}`))
    expect(draft.stored()?.workflow).toBe(graphOf(7, 8))
  })

  it('have restored changes of their own', async () => {
    setup(PATH, draftOn(FLOW, DRAFT).handlers)
    const editor = standIn()
    await editor.open({ flow: FLOW })
    await screen.findByText(/were restored/)
    await editor.go(OTHER, graphOf())
    await waitFor(() => expect(screen.queryByText(/were restored/)).toBeNull())
    await editor.go({ flow: FLOW }, DRAFT.workflow)
    expect(await screen.findByText(/were restored/)).toBeTruthy()
  })

  it('are told which of them was saved', async () => {
    let answer: () => void = () => undefined
    const answered = new Promise<void>((done) => {
      answer = done
    })
    setup('/comfyui', {
      'POST /api/general/workflow': async () => {
        await answered
        return { status: 201, body: { ...own, _id: 'made' } }
      },
    })
    const editor = standIn(graphOf(1))
    await editor.open(NEW)
    await save()
    await editor.go(OTHER, graphOf(7))
    answer()
    await waitFor(() => expect(editor.received.some(({ type }) => type === 'graphSaved')).toBe(true))
    const asked = editor.received.filter(({ type }) => type === 'getGraph').map(({ requestId }) => requestId)
    expect(editor.received.find(({ type }) => type === 'graphSaved')?.requestId).toBe(asked[1])
    await waitFor(() => expect(screen.getByLabelText('Project name')).toHaveProperty('value', 'From a file'))
    expect(await screen.findByText('Not saved')).toBeTruthy()
  })
})
