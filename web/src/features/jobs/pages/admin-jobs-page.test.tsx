import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AnyJob } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminJobsPage from './admin-jobs-page'

const LIST = 'GET /api/admin/job'
const JOB: AnyJob = {
  _id: 'job-1',
  user: null,
  status: 'ExecuteError',
  fault: 'graph',
  executeException: { exception_message: 'out of memory' },
  validateException: null,
  workflowApi: 'app-1',
  workflowApiVersion: 'version-1',
  workflow: { _id: 'workflow-1', name: 'Portraits' },
  lane: 'api',
  priceClass: 'standard',
  pool: 'gpu',
  worker: { _id: 'worker-1', name: 'box-7' },
  attempt: 2,
  createdAt: '2026-01-02T03:04:05Z',
  startedAt: null,
  endedAt: null,
  durationMs: 1500,
  creditsUsed: 12,
  labels: { order: '42' },
}

describe('the jobs of all users', () => {
  it('are listed with their reason, their worker and their labels', async () => {
    stubApi({ [LIST]: { body: { items: [JOB], nextCursor: null } } })
    renderApp(<AdminJobsPage />)
    expect((await screen.findByRole('link', { name: 'Portraits' })).getAttribute('href')).toBe('/jobs/job-1')
    expect(screen.getByText('out of memory')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'box-7' }).getAttribute('href')).toBe('/admin/list/jobs?worker=worker-1')
    expect(screen.getByRole('link', { name: 'order=42' }).getAttribute('href')).toBe(
      '/admin/list/jobs?label=order%3D42',
    )
    expect(screen.queryByRole('button', { name: 'Cancel job' })).toBeNull()
  })

  it('are filtered by a typed label, which must be one', async () => {
    stubApi({ [LIST]: { body: { items: [], nextCursor: null } } })
    renderApp(<AdminJobsPage />)
    await screen.findByText('No jobs yet')
    const field = screen.getByRole('textbox', { name: 'Label (key=value)' })
    await userEvent.type(field, 'order')
    expect(screen.getByText('Enter a label as key=value.')).toBeTruthy()
    await userEvent.type(field, '=42{Enter}')
    expect(await screen.findByText('No job matches')).toBeTruthy()
  })
})
