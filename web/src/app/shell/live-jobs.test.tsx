import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import JobsPage from '@/features/jobs/pages/jobs-page'
import { job, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useLiveJobs } from './live-jobs'

class Source extends EventTarget {
  static last: Source | null = null
  constructor(readonly url: string) {
    super()
    Source.last = this
  }
  close() {}
}

function Page() {
  useLiveJobs(true)
  return (
    <LoginDialogProvider>
      <JobsPage />
    </LoginDialogProvider>
  )
}

beforeEach(() => vi.stubGlobal('EventSource', Source))
afterEach(() => vi.unstubAllGlobals())

describe('job events of the account', () => {
  it('refresh the list with a job of another program, and the balance', async () => {
    let items = [job({ _id: 'a', status: 'Done' })]
    const requests = stubApi({
      'GET /api/auth': () => ({ body: user() }),
      'GET /api/general/job': () => ({ body: { items, nextCursor: null } }),
    })
    renderApp(<Page />, { path: '/jobs' })
    expect(await screen.findAllByRole('listitem')).toHaveLength(1)
    expect(Source.last?.url).toContain('after=latest')
    const asked = () => requests.filter(({ path }) => path === '/api/auth').length
    const before = asked()
    items = [job({ _id: 'b' }), ...items]
    act(() => {
      for (let at = 0; at < 80; at += 1) Source.last?.dispatchEvent(new MessageEvent('event', { data: '{}' }))
    })
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2))
    // Eighty events of a batch cause one request.
    expect(asked()).toBe(before + 1)
  })
})

describe('ended jobs', () => {
  it('can be run again from the list, including canceled ones and prompts', async () => {
    const requests = stubApi({
      'GET /api/auth': { body: user() },
      'GET /api/general/job': {
        body: { items: [job({ _id: 'p', status: 'Canceled', workflowApi: null, workflow: null })], nextCursor: null },
      },
      'POST /api/general/job/p/again': { status: 201, body: { _id: 'n' } },
    })
    const { router } = renderApp(<Page />, { path: '/jobs' })
    await userEvent.click(await screen.findByRole('button', { name: 'Run again' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/jobs/n'))
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

describe('a filter without results', () => {
  it.each([
    ['active', 'Nothing is waiting or running.'],
    ['failed', 'No failed jobs here.'],
  ])('does not say that there are no jobs: %s', async (show, words) => {
    stubApi({ 'GET /api/auth': { body: user() }, 'GET /api/general/job': { body: { items: [], nextCursor: null } } })
    renderApp(<Page />, { path: `/jobs?show=${show}` })
    expect(await screen.findByText(words)).toBeTruthy()
    expect(screen.queryByText('No jobs yet')).toBeNull()
  })
})
