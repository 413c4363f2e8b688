import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import type { JobStatusName } from '@/shared/api/types'
import { jobStatus } from '@/shared/testing/factories'
import type { LiveEvent } from './model'
import { OUTPUTS_AGAIN_MS, POLL_INTERVAL_MS, REOPEN_MS, watchJob } from './watch'

class FakeSource extends EventTarget {
  closed = false
  readyState = 1
  onopen: (() => void) | null = null
  onerror: (() => void) | null = null
  close() {
    this.closed = true
  }
  send(type: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
  }
}

function setup() {
  const source = new FakeSource()
  const events: LiveEvent[] = []
  const statuses: JobStatusName[] = []
  const fetchStatus = vi.fn(async () => jobStatus({ status: statuses.shift() ?? 'Running' }))
  const fetchOutputs = vi.fn(async () => [{ nodeId: '9', name: '', outputs: { text: ['done'] } }])
  const ports = { openEvents: () => source as unknown as EventSource, fetchStatus, fetchOutputs }
  const stop = watchJob('job-1', (event) => events.push(event), ports)
  const eventsOf = (type: LiveEvent['type']) => events.filter((event) => event.type === type).map((event) => event.data)
  return { source, events, statuses, fetchStatus, fetchOutputs, stop, eventsOf, ports }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('watching a job', () => {
  it('does not poll while events arrive', async () => {
    const { source, fetchStatus, eventsOf } = setup()
    source.onopen?.()
    source.send('status', jobStatus({ status: 'Running' }))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(eventsOf('status')).toHaveLength(1)
    expect(fetchStatus).not.toHaveBeenCalled()
  })

  it('polls from the start without a stream, and stops at the end', async () => {
    const fetchStatus = vi
      .fn()
      .mockResolvedValueOnce(jobStatus({ status: 'Pending' }))
      .mockResolvedValue(jobStatus({ status: 'Done' }))
    const outputs = [{ nodeId: '9', name: '', outputs: { text: ['done'] } }]
    const told: LiveEvent[] = []
    watchJob('job-1', (event) => told.push(event), {
      openEvents: null,
      fetchStatus,
      fetchOutputs: async () => outputs,
    })
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 5)
    expect(fetchStatus).toHaveBeenCalledTimes(2)
    expect(told.at(-1)).toEqual({ type: 'outputs', data: outputs })
  })

  it('polls every two seconds while events are interrupted, and stops afterwards', async () => {
    const { source, fetchStatus, eventsOf } = setup()
    source.onerror?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(fetchStatus).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 2)
    expect(fetchStatus).toHaveBeenCalledTimes(3)
    source.onopen?.()
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3)
    expect(fetchStatus).toHaveBeenCalledTimes(3)
    expect(eventsOf('transport')).toEqual(['polling', 'events'])
  })

  it('closes the stream at the end and does not fetch outputs that were sent', async () => {
    const { source, fetchOutputs, eventsOf } = setup()
    source.send('outputs', [])
    source.send('status', jobStatus({ status: 'Done' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(source.closed).toBe(true)
    expect(fetchOutputs).not.toHaveBeenCalled()
    expect(eventsOf('outputs')).toHaveLength(1)
  })

  it('fetches the outputs of a job whose end was polled, and stops polling', async () => {
    const { source, statuses, fetchStatus, fetchOutputs, eventsOf } = setup()
    statuses.push('Running', 'Done')
    source.onerror?.()
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS)
    expect(fetchOutputs).toHaveBeenCalledOnce()
    expect(eventsOf('outputs')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 4)
    expect(fetchStatus).toHaveBeenCalledTimes(2)
  })

  it('gives up on a missing job and continues after server errors', async () => {
    const { source, fetchStatus, eventsOf } = setup()
    fetchStatus.mockRejectedValueOnce(new ApiError(503)).mockRejectedValueOnce(new ApiError(404))
    source.onerror?.()
    await vi.advanceTimersByTimeAsync(0)
    expect(eventsOf('problem')).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS)
    expect(eventsOf('problem')).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 3)
    expect(fetchStatus).toHaveBeenCalledTimes(2)
  })

  it('stops polling when events resume while an answer is pending', async () => {
    const { source, fetchStatus } = setup()
    let answer: (status: ReturnType<typeof jobStatus>) => void = () => undefined
    fetchStatus.mockReturnValueOnce(
      new Promise((done) => {
        answer = done
      }),
    )
    source.onerror?.()
    await vi.advanceTimersByTimeAsync(0)
    source.onopen?.()
    answer(jobStatus({ status: 'Running' }))
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS * 4)
    expect(fetchStatus).toHaveBeenCalledOnce()
  })

  it('reopens a stream that the server refused', async () => {
    const { source, ports, eventsOf } = setup()
    const open = vi.spyOn(ports, 'openEvents')
    source.readyState = 2
    source.onerror?.()
    await vi.advanceTimersByTimeAsync(REOPEN_MS)
    expect(open).toHaveBeenCalledOnce()
    source.onopen?.()
    expect(eventsOf('transport')).toEqual(['polling', 'events'])
  })

  it('retries the outputs of a finished job until they arrive', async () => {
    const { source, fetchOutputs, eventsOf } = setup()
    fetchOutputs.mockRejectedValueOnce(new ApiError(0)).mockRejectedValueOnce(new ApiError(503))
    source.send('status', jobStatus({ status: 'Done' }))
    await vi.advanceTimersByTimeAsync((OUTPUTS_AGAIN_MS[0] ?? 0) + (OUTPUTS_AGAIN_MS[1] ?? 0))
    expect(eventsOf('problem')).toHaveLength(0)
    expect(eventsOf('outputs')).toHaveLength(1)
  })

  it('reports when the outputs of a job are refused', async () => {
    const { source, fetchOutputs, eventsOf } = setup()
    fetchOutputs.mockRejectedValueOnce(new ApiError(404))
    source.send('status', jobStatus({ status: 'Done' }))
    await vi.advanceTimersByTimeAsync(0)
    expect(eventsOf('problem')).toHaveLength(1)
  })

  it('emits nothing after it was stopped', async () => {
    const { source, stop, events } = setup()
    stop()
    source.send('status', jobStatus({ status: 'Done' }))
    await vi.advanceTimersByTimeAsync(POLL_INTERVAL_MS)
    expect(events).toHaveLength(0)
    expect(source.closed).toBe(true)
  })
})
