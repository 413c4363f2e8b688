import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { handFile } from '@/shared/lib/handed-file'
import { draftOn, FLOW, graphOf, own, setup, setWidth, standIn } from './testing'

beforeEach(() => setWidth('desktop'))

const PATH = `/comfyui?flow=${FLOW}`
const file = new File(['{}'], 'boats.png', { type: 'image/png' })
const FOUND = { type: 'importFound', importId: 'import-1', name: 'boats' }
const OPENED = { type: 'imported', name: 'boats', app: null }
const NEW_TAB = { tab: 'tab-2', flow: null, name: 'boats' }
const drop = (types: string[], target: Element | Window = window) =>
  fireEvent.drop(target, { dataTransfer: { types, files: [file] } })

async function opened(handlers: Parameters<typeof setup>[1] = {}) {
  const view = setup(PATH, handlers)
  const editor = standIn()
  await editor.open()
  const openFiles = () => editor.received.filter(({ type }) => type === 'importFile').map((message) => message.file)
  return { ...view, editor, openFiles }
}

describe('a file', () => {
  it('is sent to the editor from the menu', async () => {
    const { openFiles } = await opened()
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    expect(await screen.findByRole('menuitem', { name: 'Import…' })).toBeTruthy()
    await userEvent.upload(screen.getByLabelText('Import…'), file)
    expect(openFiles()).toEqual([file])
  })

  it('is sent to the editor when it is dropped anywhere on the page', async () => {
    const { openFiles } = await opened()
    fireEvent.dragOver(window, { dataTransfer: { types: ['Files'] } })
    expect(screen.getByText('Drop a file with a workflow anywhere on this page')).toBeTruthy()
    drop(['Files'], screen.getByLabelText('Project name'))
    expect(openFiles()).toEqual([file])
    expect(screen.queryByText(/Drop a file/)).toBeNull()
    drop(['text/plain'])
    expect(openFiles()).toHaveLength(1)
  })

  it('of another page is sent to the editor once that has started', async () => {
    handFile(file)
    const { openFiles } = await opened()
    await waitFor(() => expect(openFiles()).toEqual([file]))
  })

  it.each([
    ['empty', /boats\.png contains no workflow/],
    ['unreadable', /The workflow in boats\.png cannot be opened/],
  ])('that is %s is named', async (reason, message) => {
    const { editor } = await opened()
    await editor.say({ type: 'importFailed', name: 'boats.png', reason })
    expect(await screen.findByText(message)).toBeTruthy()
  })
})

describe('a graph of a file', () => {
  it('opens as a new project, once the changes of the open graph are stored', async () => {
    const draft = draftOn(FLOW)
    const { editor, router, sent } = await opened(draft.handlers)
    await editor.edit(graphOf(1, 2))
    await editor.say(FOUND)
    await waitFor(() => expect(editor.received).toContainEqual({ type: 'openImport', importId: 'import-1' }))
    expect(draft.stored()?.workflow).toBe(graphOf(1, 2))
    await editor.go(NEW_TAB, graphOf(5))
    await editor.say(OPENED)
    await waitFor(() => expect(screen.getByLabelText('Project name')).toHaveProperty('value', 'boats'))
    expect(router.state.location.search).toBe('')
    await waitFor(() => expect(sent('PUT', '/workflow/draft')).toHaveLength(1))
    expect(sent('PUT', '/workflow/draft')[0]?.body).toMatchObject({ name: 'boats' })
    expect(draft.stored()?.workflow).toBe(graphOf(1, 2))
  })

  it('with an app offers a mini app, which starts with the app', async () => {
    const { editor, router, sent } = await opened({
      'POST /api/general/workflow': { status: 201, body: { ...own, _id: 'made' } },
    })
    await editor.go(NEW_TAB, graphOf(5))
    await editor.say({ ...OPENED, app: { inputs: 3, outputs: 1 } })
    expect(await screen.findByText('This workflow brings an app with 3 inputs.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Make a mini app' }))
    await waitFor(() => expect(sent('POST', '/workflow')).toHaveLength(1))
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflow-api/made'))
    expect(router.state.location.search).toBe('?tab=detail&app=true')
  })

  it('with an app asks no more when the offer was declined', async () => {
    const { editor } = await opened()
    await editor.go(NEW_TAB, graphOf(5))
    await editor.say({ ...OPENED, app: { inputs: 1, outputs: 1 } })
    expect(await screen.findByText('This workflow brings an app with 1 input.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
    expect(screen.queryByText(/brings an app/)).toBeNull()
  })
})

describe('an exported graph', () => {
  const exportWorkflow = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'More actions' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Export workflow' }))
  }

  it('has the mini app of its workflow', async () => {
    const { requests } = await opened({
      [`GET /api/general/workflow/${FLOW}`]: { body: { ...own, workflowApi: 'api-1' } },
      [`POST /api/general/workflow/${FLOW}/export`]: { body: { nodes: [], extra: { linearMode: true } } },
    })
    await exportWorkflow()
    await waitFor(() => expect(requests.some(({ path }) => path.endsWith('/export'))).toBe(true))
    const sent = requests.find(({ path }) => path.endsWith('/export'))
    expect(sent?.body).toEqual({ workflow: JSON.parse(graphOf(1)) })
  })

  it('of a workflow without a mini app is as the editor sends it', async () => {
    const { requests } = await opened()
    await exportWorkflow()
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull())
    expect(requests.some(({ path }) => path.endsWith('/export'))).toBe(false)
  })
})
