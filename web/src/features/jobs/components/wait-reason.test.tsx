import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WaitingReason as Why } from '@/shared/api/types'
import { showLanguage } from '@/shared/i18n'
import { job, jobStatus } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { initialJob } from '../model'
import { JobDisplay } from './job-display'
import { JobRow } from './job-row'
import WaitReason from './wait-reason'

const answer = (change: Partial<Why>) => ({
  'GET /api/general/job/job-1/why': {
    body: { code: 'NEXT', message: 'in the words of the server', details: {}, releasedBy: 'time', ...change },
  },
})

beforeEach(async () => {
  await showLanguage('en')
})

describe('the reason why a job waits', () => {
  it.each([
    ['WORKERS_BUSY', { workers: 2 }, /every worker that can run it is busy \(2\)\. It starts when one of them/],
    ['OWN_JOBS_AHEAD', { own: 1000, others: 3, more: true }, /1000\+ of your earlier jobs run first/],
    ['OTHER_JOBS_AHEAD', { own: 1, others: 4 }, /5 jobs run first, 1 of them yours/],
    ['MISSING_CAPABILITY', { missing: ['Blur', 'checkpoints/a.safetensors'] }, /Blur, checkpoints\/a\.safetensors/],
    ['STORAGE_AWAY', {}, /cannot be stored at the moment.*It continues by itself/],
    ['RETRY_PAUSE', { attempt: 1 }, /Attempt 2 starts/],
    ['WAITS_FOR_IDLE', { until: '2026-11-28T07:00:00Z' }, /costs less and waits .* until Nov 28, 2026.* at the latest/],
    ['A_CODE_OF_TOMORROW', {}, /^in the words of the server$/],
  ])('is a sentence for %s', async (code, details, words) => {
    stubApi(answer({ code, details }))
    renderApp(<WaitReason id="job-1" withRelease />)
    expect(await screen.findByText(words)).toBeTruthy()
  })

  it('is translated to Korean', async () => {
    await showLanguage('ko')
    stubApi(answer({ code: 'NO_WORKER', details: { pool: 'cpu' } }))
    renderApp(<WaitReason id="job-1" withRelease />)
    expect(await screen.findByText(/cpu 풀에 연결된 작업 서버가 없습니다\. 작업 서버가 풀에 들어오면/)).toBeTruthy()
    await showLanguage('en')
  })

  it('is shown on the page of a waiting job', async () => {
    stubApi(answer({ code: 'NEXT' }))
    renderApp(<JobDisplay job={{ ...initialJob('job-1'), status: jobStatus({ status: 'Pending' }) }} />)
    expect(await screen.findByText(/It is next, and a worker is free/)).toBeTruthy()
  })

  it('is requested for waiting rows only', async () => {
    const requests = stubApi(answer({ code: 'WORKERS_BUSY', details: { workers: 1 } }))
    const row = (status: 'Pending' | 'Running', showsReason: boolean) => (
      <JobRow job={job({ status })} canceling={false} showsReason={showsReason} onCancel={() => undefined} />
    )
    const view = renderApp(row('Pending', true))
    expect(await screen.findByText(/every worker that can run it is busy \(1\)\.$/)).toBeTruthy()
    view.unmount()
    const asked = requests.length
    vi.useFakeTimers()
    renderApp(row('Running', true))
    renderApp(row('Pending', false))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(requests).toHaveLength(asked)
  })
})
