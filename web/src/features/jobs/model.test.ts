import { describe, expect, it } from 'vitest'
import { job as jobOf, jobStatus } from '@/shared/testing/factories'
import {
  applyEvent,
  exceptionDetails,
  exceptionMessage,
  extensionOf,
  groupByBatch,
  initialJob,
  isUnsupported,
  type LiveEvent,
  shareOf,
} from './model'

const progress = (nodesDone: number, value = 0, max = 0) => ({
  nodeId: '3',
  nodeTitle: 'Silk',
  value,
  max,
  nodesDone,
  nodesTotal: 4,
})
const play = (...events: LiveEvent[]) => events.reduce(applyEvent, initialJob('job-1'))
const running: LiveEvent = { type: 'status', data: jobStatus({ status: 'Running' }) }

describe('progress', () => {
  it('is finished nodes plus the step of the running one', () => {
    expect(shareOf(progress(1, 12, 24))).toBe(0.375)
    expect(shareOf(progress(4))).toBe(1)
    expect(shareOf({ ...progress(0), nodesTotal: 0 })).toBeNull()
  })

  it('never decreases while a job runs', () => {
    const job = play(
      running,
      { type: 'progress', data: progress(2, 20, 24) },
      { type: 'progress', data: progress(2, 1, 24) },
    )
    expect(job.share).toBeCloseTo((2 + 20 / 24) / 4)
    expect(job.progress?.value).toBe(1)
  })

  it('restarts when a lost job is retried', () => {
    const job = play(
      running,
      { type: 'progress', data: progress(3) },
      { type: 'status', data: jobStatus({ status: 'Pending' }) },
    )
    expect(job.share).toBeNull()
    expect(job.progress).toBeNull()
  })
})

describe('a watched job', () => {
  it('stays final when a late answer says that it runs', () => {
    const job = play({ type: 'status', data: jobStatus({ status: 'Canceled' }) }, running)
    expect(job.status?.status).toBe('Canceled')
  })

  it('drops its queue position once it runs', () => {
    const queue = { position: 3, etaSeconds: { low: 1, high: 2 } }
    expect(play({ type: 'status', data: jobStatus() }, { type: 'queue', data: queue }).queue).toEqual(queue)
    expect(play({ type: 'queue', data: queue }, running).queue).toBeNull()
  })

  it('shows a preview only of picture types', () => {
    const preview = (contentType: string): LiveEvent => ({ type: 'preview', data: { contentType, data: 'AAAA' } })
    expect(play(preview('image/jpeg')).preview).toBe('data:image/jpeg;base64,AAAA')
    expect(play(preview('text/html')).preview).toBeNull()
    expect(play(preview('image/svg+xml')).preview).toBeNull()
  })
})

describe('an exception', () => {
  it("is the node's message for ExecuteError and the validation's otherwise", () => {
    const executeException = {
      exception_message: 'node',
      exception_type: null,
      node_id: '3',
      node_type: 'Silk',
      traceback: ['line 1\n'],
    }
    const validateException = { message: 'check', node_errors: { 3: {} } }
    const both = { executeException, validateException }
    expect(exceptionMessage(jobStatus({ status: 'ExecuteError', ...both }))).toBe('node')
    expect(exceptionMessage(jobStatus({ status: 'InvalidPrompt', ...both }))).toBe('check')
    expect(exceptionDetails(jobStatus({ status: 'ExecuteError', ...both }))).toContain('line 1')
    expect(exceptionMessage(jobStatus({ status: 'Canceled' }))).toBeUndefined()
  })
})

it('an output without known kinds is unsupported', () => {
  expect(isUnsupported({ nodeId: '1', name: '', outputs: {} })).toBe(true)
  expect(isUnsupported({ nodeId: '1', name: '', outputs: { text: ['a'] } })).toBe(false)
})

it('the extension of a file ignores its query', () => {
  expect(extensionOf('/media/raw/abc.PNG?token=1')).toBe('png')
  expect(extensionOf('/media/raw/abc')).toBe('bin')
})

describe('jobs of a batch', () => {
  it('are grouped with neighbours only', () => {
    const jobs = [
      jobOf({ _id: '1', batch: 'b' }),
      jobOf({ _id: '2', batch: 'b' }),
      jobOf({ _id: '3' }),
      jobOf({ _id: '4' }),
    ]
    expect(groupByBatch(jobs).map((group) => group.jobs.map((one) => one._id))).toEqual([['1', '2'], ['3'], ['4']])
  })
})
