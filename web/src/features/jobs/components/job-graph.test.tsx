import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { JobGraph } from './job-graph'

it('says when the graph of a job cannot be loaded, and draws it when it can', async () => {
  let fails = true
  const workflow = { prompt: { 1: { class_type: 'EmptyImage', inputs: {} } } }
  stubApi({
    'GET /comfyui-editor/api/jobs/job-1': () =>
      fails ? { status: 404, body: { error: 'Job not found' } } : { body: { workflow } },
  })
  renderApp(<JobGraph job="job-1" />)
  expect(await screen.findByRole('alert')).toBeTruthy()
  fails = false
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  expect(await screen.findByRole('img', { name: /1 node/ })).toBeTruthy()
})
