import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { AgentTokens } from './agent-tokens'
import { WorkerList } from './worker-list'

const worker = {
  _id: 'w1',
  name: 'north',
  url: 'http://n',
  pool: 'fast',
  state: 'Idle',
  paused: false,
  draining: false,
  differentClasses: [] as string[],
}

it("a press refreshes a worker's models, which show at once", async () => {
  const requests = stubApi({
    'GET /api/admin/worker': { body: { items: [{ ...worker, nodeClasses: 12 }] } },
    'POST /api/admin/worker/w1/refresh': { body: { ...worker, nodeClasses: 15 } },
  })
  renderApp(<WorkerList />)
  expect(await screen.findByText(/12 node classes/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Check for new models now' }))
  expect((await screen.findAllByText(/15 node classes/)).length).toBeGreaterThan(0)
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

it('a worker that does not answer is named', async () => {
  stubApi({
    'GET /api/admin/worker': { body: { items: [{ ...worker, nodeClasses: 12 }] } },
    'POST /api/admin/worker/w1/refresh': { status: 503, body: { code: 'WORKER_SILENT', message: 'silent' } },
  })
  renderApp(<WorkerList />)
  await userEvent.click(await screen.findByRole('button', { name: 'Check for new models now' }))
  expect(await screen.findByText('north could not be checked.')).toBeTruthy()
})

it('conflicting node classes of a worker are named', async () => {
  stubApi({
    'GET /api/admin/worker': {
      body: { items: [{ ...worker, nodeClasses: 12, differentClasses: ['SaveImage', 'LoadImage'] }] },
    },
  })
  renderApp(<WorkerList />)
  await userEvent.click(await screen.findByText('2 node classes differ from the other workers'))
  expect(screen.getByText('SaveImage, LoadImage')).toBeTruthy()
})

it('a worker with an agent shows its machine', async () => {
  stubApi({
    'GET /api/admin/worker': {
      body: {
        items: [{ ...worker, nodeClasses: 12, agent: { connected: false, note: 'the server ended: signal 9' } }],
      },
    },
    'GET /api/admin/agent/w1': {
      body: {
        worker: 'w1',
        name: 'north',
        token: 'machines',
        connectedAt: '2026-01-01T00:00:00Z',
        agentVersion: '0.1.0',
        gpus: [{ name: 'RTX 4090', vramBytes: 24 * 2 ** 30 }],
        models: [{ name: 'checkpoints/base.safetensors', sizeBytes: 2 ** 30 }],
      },
    },
  })
  renderApp(<WorkerList />)
  expect(await screen.findByText('Agent disconnected')).toBeTruthy()
  expect(screen.getByText(/signal 9/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Machine of north' }))
  expect(await screen.findByText('RTX 4090 (24.0 GiB)')).toBeTruthy()
  expect(screen.getByText(/base.safetensors/)).toBeTruthy()
})

it('a token is created for the named pools and shown once', async () => {
  const token = { _id: 't1', name: 'machines', pools: ['fast', 'pro'], prefix: 'vga_abc', removedAgents: 0 }
  const requests = stubApi({
    'GET /api/admin/agent-token': { body: { items: [] } },
    'POST /api/admin/agent-token': { status: 201, body: { agentToken: token, token: 'vga_abcdef' } },
  })
  renderApp(<AgentTokens />)
  await userEvent.click(await screen.findByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('Enter a name and at least one pool.')).toBeTruthy()
  await userEvent.type(screen.getByLabelText('Name'), 'machines')
  await userEvent.type(screen.getByLabelText(/Pools/), 'fast, pro,')
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
  expect(await screen.findByText('vga_abcdef')).toBeTruthy()
  const sent = requests.find(({ method }) => method === 'POST')
  expect(sent?.body).toEqual({ name: 'machines', pools: ['fast', 'pro'] })
})
