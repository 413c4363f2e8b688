import { screen, waitFor } from '@testing-library/react'
import { Route, Routes } from 'react-router'
import { beforeEach, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { Job } from '@/shared/api/types'
import { job, jobStatus, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import JobPage from './job-page'

const SENT = { workflow: { prompt: { 1: { class_type: 'EmptyImage', inputs: {} } } } }

class SilentEvents {
  addEventListener() {}
  close() {}
}

beforeEach(() => vi.stubGlobal('EventSource', SilentEvents))

function setup(shown: Job, graph: object) {
  stubApi({
    'GET /api/auth': { body: user() },
    'GET /api/general/job/job-1': { body: shown },
    'GET /api/general/job/job-1/status': { body: jobStatus({ status: shown.status }) },
    'GET /comfyui-editor/api/jobs/job-1': { body: graph },
  })
  renderApp(
    <LoginDialogProvider>
      <Routes>
        <Route path="/jobs/:jobId" element={<JobPage />} />
      </Routes>
    </LoginDialogProvider>,
    { path: '/jobs/job-1' },
  )
}

it.each([
  ['says when a job began', '2026-11-20T08:00:00Z', 1],
  ['does not say that a job began which only waited', null, 0],
])('%s', async (_, startedAt, count) => {
  setup(job({ status: 'Canceled', startedAt }), {})
  expect(await screen.findByText('Sent')).toBeTruthy()
  expect(screen.queryAllByText('Started')).toHaveLength(count)
})

it.each([
  ['offers the editor for a job whose graph is known', SENT, 1],
  ['offers no editor for a job of a mini app', {}, 0],
])('%s', async (_, body, count) => {
  setup(job({ status: 'Done' }), body)
  expect(await screen.findByText('Job ID')).toBeTruthy()
  const drawn = () => screen.queryByRole('region', { name: 'Graph' })
  await waitFor(() => expect(drawn() === null).toBe(count === 0))
  await waitFor(() => expect(screen.queryAllByRole('link', { name: 'Open in the editor' })).toHaveLength(count))
})
