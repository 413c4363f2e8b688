import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { closeModals, openModal } from '@/shared/ui/modals'
import ExecutionError from '../components/execution-error'
import { FLOW, frameAddress, graphOf, own, save, setup, setWidth, standIn } from '../testing'

beforeEach(() => setWidth('desktop'))

describe('opening', () => {
  it.each([
    ['/comfyui', '/comfyui-editor/'],
    ['/comfyui?new=true', '/comfyui-editor/?new=true'],
    [`/comfyui?flow=${FLOW}`, `/comfyui-editor/?flow=${FLOW}`],
    ['/comfyui?image=i', '/comfyui-editor/?image=i'],
    ['/comfyui?job=j', '/comfyui-editor/?job=j'],
  ])('%s shows the frame of %s', async (path, address) => {
    setup(path)
    await waitFor(() => expect(frameAddress()).toBe(address))
  })

  it('asks guests to sign in', async () => {
    setup('/comfyui', {}, null)
    expect(await screen.findByText('Sign in to use the node editor')).toBeTruthy()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('says how to get an editor that is not installed', async () => {
    setup('/comfyui', { 'GET /comfyui-editor/installed.json': { body: { installed: false } } })
    expect(await screen.findByText('The node editor is not installed')).toBeTruthy()
    expect(screen.getByText(/make editor/)).toBeTruthy()
  })

  it('says on phones that larger screens edit, and shows the drawing', async () => {
    setWidth('phone')
    const prompt = JSON.stringify({ workflow: null, output: { 1: { class_type: 'EmptyImage', inputs: {} } } })
    setup(`/comfyui?flow=${FLOW}`, {
      [`GET /api/general/workflow/${FLOW}`]: ({ url }) => ({
        body: url.includes('select') ? { _id: FLOW, name: 'Silk', prompt, missingNodes: [] } : own,
      }),
    })
    expect(await screen.findByText(/Graphs can be edited on a larger screen/)).toBeTruthy()
    expect(await screen.findByRole('img', { name: /Silk/ })).toBeTruthy()
    expect(document.querySelector('iframe')).toBeNull()
  })

  it('draws the graph of a job on phones, and offers workflows where the address names no graph', async () => {
    setWidth('phone')
    const sent = { prompt: { 1: { class_type: 'EmptyImage', inputs: {} } }, extra_data: {} }
    setup('/comfyui?job=job-1', { 'GET /comfyui-editor/api/jobs/job-1': { body: { workflow: sent } } })
    expect(await screen.findByRole('img', { name: /1 node/ })).toBeTruthy()
    cleanup()
    setup('/comfyui?job=job-2', { 'GET /comfyui-editor/api/jobs/job-2': { body: {} } })
    expect(await screen.findByText(/^The graph of this job is not shown/)).toBeTruthy()
    cleanup()
    setup('/comfyui?new=true')
    expect((await screen.findByRole('link', { name: 'Browse workflows' })).getAttribute('href')).toBe('/workflows')
  })
})

describe('saving', () => {
  it('makes a new version of the own workflow, from the version that was opened', async () => {
    const { sent } = setup(`/comfyui?flow=${FLOW}`, {
      [`PATCH /api/general/workflow/${FLOW}`]: { body: { ...own, version: 2 } },
    })
    const editor = standIn()
    await editor.open()
    await editor.edit(graphOf(1, 2))
    expect(await screen.findByText('Not saved')).toBeTruthy()
    await save()
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(1))
    expect(sent('PATCH', FLOW)[0]?.body).toEqual({
      baseVersion: 1,
      prompt: { workflow: JSON.parse(graphOf(1, 2)), output: null },
    })
    await waitFor(() =>
      expect(editor.received).toContainEqual({
        type: 'graphSaved',
        flow: FLOW,
        name: 'Silk',
        requestId: expect.any(String),
      }),
    )
  })

  it('follows Ctrl+S in the editor', async () => {
    const { sent } = setup(`/comfyui?flow=${FLOW}`, {
      [`PATCH /api/general/workflow/${FLOW}`]: { body: { ...own, version: 2 } },
    })
    const editor = standIn()
    await editor.open()
    await editor.say({ type: 'saveRequested' })
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(1))
  })

  it('creates a workflow from a new project, and the address names it', async () => {
    const { router, sent } = setup('/comfyui?new=true', {
      'POST /api/general/workflow': { status: 201, body: { ...own, _id: 'made' } },
    })
    const editor = standIn()
    await editor.open({ flow: null })
    const name = screen.getByLabelText('Project name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Boats{Enter}')
    await save()
    await waitFor(() => expect(router.state.location.search).toBe('?flow=made'))
    expect(sent('POST', '/workflow')[0]?.body).toMatchObject({ name: 'Boats', isPrivate: true })
    // The open graph stays.
    expect(frameAddress()).toBe('/comfyui-editor/?new=true')
  })

  it("saves another user's workflow as a copy", async () => {
    const others = workflow({ user: { _id: 'user-2', name: 'Ann', profile: null } })
    const { sent } = setup(`/comfyui?flow=${FLOW}`, {
      [`GET /api/general/workflow/${FLOW}`]: { body: others },
      'POST /api/general/workflow/copy': { status: 201, body: { ...own, _id: 'copy' } },
      'PATCH /api/general/workflow/copy': { body: { ...own, _id: 'copy', version: 2 } },
    })
    const editor = standIn()
    await editor.open()
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: 'Save as copy' }))
    expect(dialog.getByLabelText('Name')).toHaveProperty('value', 'Copy of Silk')
    await userEvent.click(dialog.getByRole('button', { name: 'Save copy' }))
    await waitFor(() => expect(sent('PATCH', 'copy')).toHaveLength(1))
    expect(sent('POST', 'copy')[0]?.body).toEqual({ workflow: FLOW, name: 'Copy of Silk' })
  })

  it('asks before it replaces what another page has saved', async () => {
    let version = 1
    const { sent } = setup(`/comfyui?flow=${FLOW}`, {
      [`GET /api/general/workflow/${FLOW}`]: () => ({ body: { ...own, version } }),
      [`PATCH /api/general/workflow/${FLOW}`]: async (request) => {
        const { baseVersion } = (await request.clone().json()) as { baseVersion: number }
        if (baseVersion !== 4) return { status: 409, body: { code: 'WORKFLOW_CHANGED', message: 'x' } }
        return { body: { ...own, version: 5 } }
      },
    })
    const editor = standIn()
    await editor.open()
    version = 4
    await save()
    const dialog = within(await screen.findByRole('dialog', { name: 'Saved on another page' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Save anyway' }))
    await waitFor(() => expect(sent('PATCH', FLOW)).toHaveLength(2))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

describe('runs', () => {
  it('that are refused for lack of credits offer the plans, or later', async () => {
    setup('/comfyui')
    const editor = standIn()
    await editor.open({ flow: null })
    await editor.say({ type: 'noCredits' })
    const dialog = within(await screen.findByRole('dialog', { name: 'Not enough credits' }))
    const plans = await dialog.findByRole('link', { name: 'See plans' })
    expect(plans.getAttribute('href')).toBe('/pricing')
    await userEvent.click(dialog.getByRole('button', { name: 'Later' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('that fail name the node and lead to it', async () => {
    const show = vi.fn()
    renderApp(<ExecutionError message="out of memory" node="KSampler #3" onShow={show} onClose={closeModals} />)
    openModal('executionError', { message: 'out of memory' })
    expect(screen.getByText('Node: KSampler #3')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Show the node' }))
    expect(show).toHaveBeenCalledOnce()
  })
})
