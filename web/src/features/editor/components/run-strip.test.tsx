import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { JobOutput, JobStatus } from '@/shared/api/types'
import { jobStatus, user } from '@/shared/testing/factories'
import { FakeEvents } from '@/shared/testing/fake-events'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { FLOW, graphOf, ModalProbe, own, save, setup, setWidth, standIn } from '../testing'
import RunStrip from './run-strip'

const send = (type: string, data: unknown) => act(async () => FakeEvents.all.at(-1)?.send(type, data))

beforeEach(() => {
  FakeEvents.all = []
  vi.stubGlobal('EventSource', FakeEvents)
})

const file = (name: string, contentType: string) => ({
  url: `/media/raw/${name}`,
  contentType,
  hasPreview: true,
  outputAsset: `asset-${name}`,
})

async function showRun({ continued = false } = {}) {
  const onShow = vi.fn()
  stubApi({ 'GET /api/auth': { body: user() } })
  renderApp(
    <>
      <RunStrip id="job-1" continued={continued} onShow={onShow} onClose={() => undefined} />
      <ModalProbe id="executionError" />
    </>,
  )
  await waitFor(() => expect(FakeEvents.all).toHaveLength(1))
  return onShow
}
const end = (change: Partial<JobStatus>, outputs: JobOutput[] = []) => {
  const ended = async () => {
    await send('outputs', outputs)
    await send('status', jobStatus(change))
  }
  return ended()
}

describe('the latest run', () => {
  it('shows its progress, and can be canceled', async () => {
    await showRun()
    await send('status', jobStatus({ status: 'Running' }))
    expect(screen.getByRole('link', { name: /Running/ })).toBeTruthy()
    expect(screen.getByRole('progressbar')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Cancel job' })).toBeTruthy()
  })

  it('shows pictures and videos, leads to other outputs, and offers to publish', async () => {
    await showRun()
    const outputs = { images: [file('a.png', 'image/png')], gifs: [file('b.mp4', 'video/mp4')], text: ['a caption'] }
    await end({ status: 'Done' }, [{ nodeId: '9', name: 'Save', outputs } as unknown as JobOutput])
    const address = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect([address('Result 1'), address('Result 2')]).toEqual(['/gallery/asset-a.png', '/gallery/asset-b.mp4'])
    expect(address('All outputs')).toBe('/jobs/job-1')
    expect(await screen.findByRole('button', { name: 'Publish to gallery' })).toBeTruthy()
  })

  it('names the node that failed, and shows it', async () => {
    const onShow = await showRun()
    const executeException = { exception_message: 'out of memory', node_id: '10:3', node_type: 'KSampler' }
    await end({ status: 'ExecuteError', executeException } as Partial<JobStatus>)
    expect(await screen.findByText(/"message":"out of memory"/)).toBeTruthy()
    expect(screen.getByText(/KSampler #10:3/)).toBeTruthy()
    expect(onShow).toHaveBeenCalledExactlyOnceWith('10:3')
  })

  it('says in words why it ended where no node failed', async () => {
    await showRun()
    await end({ status: 'ExecutionTimeout' })
    expect(await screen.findByText(/reached its time limit/)).toBeTruthy()
  })

  it('does not open its error again after a reload of the page', async () => {
    await showRun({ continued: true })
    await end({
      status: 'ExecuteError',
      executeException: { exception_message: 'out of memory' },
    } as Partial<JobStatus>)
    expect(await screen.findByText('out of memory')).toBeTruthy()
    expect(screen.queryByText(/"message"/)).toBeNull()
  })

  it('is not an error where it was canceled', async () => {
    await showRun()
    await end({ status: 'Canceled' })
    await screen.findByRole('link', { name: /Canceled/ })
    expect(screen.queryByText(/"message"/)).toBeNull()
  })
})

it('survives a reload of the page, but is not of another project', async () => {
  setWidth('desktop')
  const first = setup('/comfyui')
  const editor = standIn()
  await editor.open({ flow: null })
  await editor.say({ type: 'queued', promptId: 'job-1' })
  expect(await screen.findByRole('region', { name: 'Latest run' })).toBeTruthy()
  first.unmount()
  const second = setup('/comfyui')
  expect(await screen.findByRole('region', { name: 'Latest run' })).toBeTruthy()
  second.unmount()
  setup('/comfyui?new=true')
  await standIn().open({ flow: null })
  expect(screen.queryByRole('region', { name: 'Latest run' })).toBeNull()
})

it('stays with the project that it is of when another tab of the editor is opened', async () => {
  setWidth('desktop')
  const first = setup('/comfyui')
  const editor = standIn()
  await editor.open({ tab: 'tab-1', flow: null })
  await editor.say({ type: 'queued', promptId: 'job-1' })
  await editor.go({ flow: FLOW }, graphOf(2))
  await waitFor(() => expect(first.router.state.location.search).toBe(`?flow=${FLOW}`))
  expect(screen.getByRole('region', { name: 'Latest run' })).toBeTruthy()
  first.unmount()
  const second = setup('/comfyui')
  expect(await screen.findByRole('region', { name: 'Latest run' })).toBeTruthy()
  second.unmount()
  setup(`/comfyui?flow=${FLOW}`)
  await standIn().open({ flow: FLOW })
  expect(screen.queryByRole('region', { name: 'Latest run' })).toBeNull()
})

it('moves with its project into the workflow that it is saved as', async () => {
  setWidth('desktop')
  const first = setup('/comfyui', { 'POST /api/general/workflow': { status: 201, body: own } })
  const editor = standIn()
  await editor.open({ tab: 'tab-1', flow: null })
  await editor.say({ type: 'queued', promptId: 'job-1' })
  await save()
  await waitFor(() => expect(first.router.state.location.search).toBe(`?flow=${FLOW}`))
  first.unmount()
  setup(`/comfyui?flow=${FLOW}`)
  expect(await screen.findByRole('region', { name: 'Latest run' })).toBeTruthy()
})
