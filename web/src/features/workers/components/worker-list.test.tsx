import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { WorkerList } from './worker-list'

const worker = {
  _id: 'w1',
  name: 'north',
  url: 'http://n',
  pool: 'fast',
  state: 'Idle',
  paused: false,
  draining: false,
}

it('a worker is asked for its new models at a press, and what it has shows at once', async () => {
  const requests = stubApi({
    'GET /api/admin/worker': { body: { items: [{ ...worker, nodeClasses: 12 }] } },
    'POST /api/admin/worker/w1/refresh': { body: { ...worker, nodeClasses: 15 } },
  })
  renderApp(<WorkerList />)
  expect(await screen.findByText(/12 node classes/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Look for new models now' }))
  expect((await screen.findAllByText(/15 node classes/)).length).toBeGreaterThan(0)
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

it('a worker that does not answer is named', async () => {
  stubApi({
    'GET /api/admin/worker': { body: { items: [{ ...worker, nodeClasses: 12 }] } },
    'POST /api/admin/worker/w1/refresh': { status: 503, body: { code: 'WORKER_SILENT', message: 'silent' } },
  })
  renderApp(<WorkerList />)
  await userEvent.click(await screen.findByRole('button', { name: 'Look for new models now' }))
  expect(await screen.findByText('north could not be asked.')).toBeTruthy()
})
