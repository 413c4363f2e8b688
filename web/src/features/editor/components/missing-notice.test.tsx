import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { localBridge } from '@/shared/lib/frame-bridge'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { MissingNotice } from './missing-notice'

const CHECK = 'POST /api/general/workflow/requirements'
const REQUEST = 'POST /api/general/requirement-request'
const graph = (...classes: string[]) =>
  JSON.stringify(Object.fromEntries(classes.map((name, index) => [index + 1, { class_type: name, inputs: {} }])))
const POOL = { name: 'pro', title: 'Pro GPU', gpu: '80 GB', plans: ['Standard', 'Pro'] }
const model = {
  kind: 'Model',
  folder: 'loras',
  name: 'a.safetensors',
  nodes: ['1'],
  pools: [],
  isRequested: false,
}
const node = { kind: 'NodeClass', folder: null, name: 'LargeSampler', nodes: ['2'], pools: [POOL], isRequested: false }

function open(missing: object[], oneWorkerMeetsAll = missing.length === 0) {
  const moved = vi.fn()
  const bridge = localBridge(moved)
  const requests = stubApi({
    [CHECK]: { body: { missing, oneWorkerMeetsAll } },
    [REQUEST]: { status: 201, body: { _id: 'r-1' } },
  })
  renderApp(<MissingNotice bridge={bridge} />)
  const send = (prompt: string) =>
    act(async () => bridge.emit({ type: 'graph', requestId: 'g', workflow: '{}', prompt, flow: null }))
  return { send, moved, requests }
}

describe('the notice of missing nodes and models', () => {
  it('is not shown while nothing is missing', async () => {
    const { send, requests } = open([])
    await send(graph('EmptyImage'))
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(screen.queryByRole('status')).toBeNull()
  })

  it('asks again only for other requirements', async () => {
    const { send, requests } = open([node])
    await send(graph('EmptyImage', 'LargeSampler'))
    await screen.findByText(/LargeSampler, which your workers do not have/)
    await send(graph('EmptyImage', 'LargeSampler', 'EmptyImage'))
    expect(requests).toHaveLength(1)
    await send(graph('SaveImage'))
    await waitFor(() => expect(requests).toHaveLength(2))
  })

  it('says where a node is and which plans have it, and shows it in the graph', async () => {
    const { send, moved } = open([node, model])
    await send(graph('X', 'LargeSampler', 'LargeSampler'))
    await screen.findByText(/needs 2 nodes or models .*: LargeSampler, a.safetensors/)
    await userEvent.click(screen.getByRole('button', { name: 'Show what is missing' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Missing nodes and models' }))
    expect(dialog.getByText('Pro GPU (80 GB) has it. Plans with these workers: Standard, Pro')).toBeTruthy()
    expect(dialog.getByRole('link', { name: 'See plans' }).getAttribute('href')).toBe('/pricing')
    expect(dialog.getByText('Used by 2 nodes')).toBeTruthy()
    expect(dialog.getByText('Folder: loras · Used by 1 node')).toBeTruthy()
    expect(dialog.getByText('No worker of this installation has it.')).toBeTruthy()
    const [first] = dialog.getAllByRole('button', { name: 'Show the node' })
    if (first) await userEvent.click(first)
    expect(moved).toHaveBeenCalledWith('2')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('sends a request once, and shows that it was sent', async () => {
    const { send, requests } = open([model])
    await send(graph('X'))
    await userEvent.click(await screen.findByRole('button', { name: 'Show what is missing' }))
    await userEvent.dblClick(await screen.findByRole('button', { name: 'Ask for it' }))
    expect(await screen.findByText('Requested')).toBeTruthy()
    const sent = requests.filter(({ path }) => path.endsWith('/requirement-request'))
    expect(sent.map(({ body }) => body)).toEqual([{ kind: 'Model', folder: 'loras', name: 'a.safetensors' }])
    expect(screen.getByText('The operators see your request for a.safetensors')).toBeTruthy()
  })

  it('says if no single worker has everything', async () => {
    const { send } = open([], false)
    await send(graph('A', 'B'))
    expect(await screen.findByText(/no single worker has all of them/)).toBeTruthy()
  })
})
