import { renderHook, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { JobOutput, JobStatus } from '@/shared/api/types'
import { jobStatus, picture } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useModal } from '@/shared/ui/modals'
import { initialJob, type LiveJob } from '../model'
import { JobDisplay } from './job-display'

const show = (change: Partial<LiveJob> | null) =>
  renderApp(<JobDisplay job={change && { ...initialJob('job-1'), ...change }} />)
const status = (change: Partial<JobStatus>) => ({ status: jobStatus(change) })
const output = (outputs: JobOutput['outputs']): JobOutput => ({ nodeId: '9', name: 'Picture', outputs })

describe('the texts of a job', () => {
  it('invite to run if there is no job', () => {
    show(null)
    expect(screen.getByText('Run the API to generate images!')).toBeTruthy()
  })

  it.each([
    ['Pending', 'Pending...'],
    ['Connecting', 'Connecting...'],
    ['Connected', 'Connected!'],
  ] as const)('explain %s', (name, words) => {
    show(status({ status: name }))
    expect(screen.getByRole('status').textContent).toBe(words)
  })

  it('show queue position and remaining time while it waits', () => {
    show({ ...status({ status: 'Pending' }), queue: { position: 3, etaSeconds: { low: 8, high: 75 } } })
    expect(screen.getByText('3 in the queue · about 8.0s to 1m 15s')).toBeTruthy()
  })

  it('count positions up to a thousand, and show no time without a worker', () => {
    show({ ...status({ status: 'Pending' }), queue: { position: 1001, etaSeconds: null } })
    expect(screen.getByText('1000+ in the queue')).toBeTruthy()
  })

  it('show node, step and progress while it runs', () => {
    const progress = { nodeId: '3', nodeTitle: 'Silk', value: 6, max: 24, nodesDone: 1, nodesTotal: 4 }
    show({ ...status({ status: 'Running' }), progress, share: 0.31 })
    expect(screen.getByText('Silk · Node 2 of 4 · step 6 of 24')).toBeTruthy()
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('31')
  })

  it('wait for the outputs of a finished job', () => {
    show(status({ status: 'Done' }))
    expect(screen.getByText('Done! Wait for the output...')).toBeTruthy()
  })

  it('list skipped outputs with their reasons', () => {
    const wrong = { type: 'value_smaller_than_min', message: 'Value 0 smaller than min of 1', details: 'width' }
    const nodeErrors = { '5': { errors: [wrong], dependent_outputs: ['6'], class_type: 'EmptyImage' } }
    show({ ...status({ status: 'Done', nodeErrors }), outputs: [output({ text: ['made'] })] })
    const note = screen.getByRole('note')
    expect(within(note).getByText('One output was left out, because it cannot be made.')).toBeTruthy()
    expect(within(note).getByText('Value 0 smaller than min of 1: width')).toBeTruthy()
    expect(screen.getByText('made')).toBeTruthy()
  })

  it('list outputs that could not be stored, and show the others', async () => {
    const note = { nodeId: '9', name: 'a.png', code: 'FILE_REFUSED', message: 'the worker refuses it', count: 1 }
    const unknown = { ...note, name: 'b.png', code: 'SOMETHING_NEW', message: 'a new reason' }
    const more = { ...note, name: '', code: 'TOO_MANY_FILES', count: 70 }
    const undelivered = [note, unknown, more]
    show({ ...status({ status: 'Done' }), outputs: [{ ...output({ text: ['made'] }), undelivered }] })
    const notice = within(await screen.findByRole('note'))
    expect(notice.getByText('72 outputs could not be delivered in full. Everything else is here.')).toBeTruthy()
    expect(notice.getByText('a.png, from Picture')).toBeTruthy()
    expect(notice.getByText('The worker refused to send this file.')).toBeTruthy()
    expect(notice.getByText('a new reason')).toBeTruthy()
    expect(notice.getByText('70 more, from Picture')).toBeTruthy()
    expect(screen.getByText('made')).toBeTruthy()
    expect(screen.queryByText('This output cannot be shown here.')).toBeNull()
  })

  it.each([
    'InvalidPrompt',
    'ConnectError',
    'WorkerConnectError',
    'WorkerExceptionError',
    'WorkerShutdownError',
    'ExecutionTimeout',
    'ForceTimeout',
    'UnknownError',
  ] as const)('name the error %s with its message and the job id', async (name) => {
    show(status({ status: name, validateException: { message: 'node 3 is unknown' } }))
    expect(await screen.findByText(`Error: ${name}`)).toBeTruthy()
    expect(screen.getByText('node 3 is unknown')).toBeTruthy()
    expect(screen.getByText('job-1')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy job ID' })).toBeTruthy()
  })

  it('show what the node raised', async () => {
    const executeException = {
      exception_message: 'width is too large',
      exception_type: 'ValueError',
      node_id: '3',
      node_type: 'Silk',
      traceback: ['at line 3'],
    }
    show(status({ status: 'ExecuteError', executeException }))
    expect(await screen.findByText('Error: ExecuteError')).toBeTruthy()
    expect(screen.getByText('width is too large')).toBeTruthy()
    expect(screen.getByText(/at line 3/)).toBeTruthy()
  })

  it('say what to do about a failure of the model', async () => {
    const executeException = { exception_message: 'Allocation on device', exception_type: 'torch.OutOfMemoryError' }
    show(status({ status: 'ExecuteError', executeException }))
    expect(await screen.findByText(/graphics card ran out of memory\. Choose a smaller size/)).toBeTruthy()
  })

  it('do not call a canceled job an error', async () => {
    show(status({ status: 'Canceled' }))
    expect(await screen.findByText('Canceled')).toBeTruthy()
    expect(screen.queryByText(/Error/)).toBeNull()
  })
})

describe('the outputs of a job', () => {
  const done = status({ status: 'Done' })

  it('open a picture in a lightbox and step with arrows', async () => {
    const images = [{ url: '/media/raw/a.png' }, { url: '/media/raw/b.png' }]
    show({ ...done, outputs: [output({ images })] })
    await userEvent.click(screen.getByRole('button', { name: 'Open picture 1 in full' }))
    const layer = await screen.findByRole('dialog', { name: 'Output picture 1' })
    expect(within(layer).getByText('Picture 1 of 2')).toBeTruthy()
    await userEvent.keyboard('{ArrowRight}')
    expect(within(layer).getByText('Picture 2 of 2')).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('show text unchanged, with a copy button', () => {
    show({ ...done, outputs: [output({ text: ['<b>one</b>\ntwo'] })] })
    expect(screen.getByText(/<b>one<\/b>/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Copy text' })).toBeTruthy()
  })

  it('play what ComfyUI calls gifs as videos', () => {
    const { container } = show({ ...done, outputs: [output({ gifs: [{ url: '/media/raw/a.mp4' }] })] })
    expect(container.querySelector('video')?.getAttribute('src')).toBe('/media/raw/a.mp4')
  })

  it('say when a kind cannot be shown', () => {
    show({ ...done, outputs: [output({})] })
    expect(screen.getByText('No support output type')).toBeTruthy()
  })
})

describe('screen reader announcements', () => {
  const said = (change: Partial<LiveJob>) => {
    const { container, unmount } = show(change)
    const words = container.querySelector('[aria-live="polite"]')?.textContent
    unmount()
    return words
  }

  it('are progress in quarters and the result', () => {
    const at = (share: number) => said({ ...status({ status: 'Running' }), share })
    expect([0.1, 0.31, 0.45, 0.5, 0.99].map(at)).toEqual(['', '25 percent', '25 percent', '50 percent', '75 percent'])
    expect(said(status({ status: 'Done' }))).toBe('Done')
    expect(said(status({ status: 'Pending' }))).toBe('')
  })
})

describe('a failed job', () => {
  it('can be run again in place, with its id for support', async () => {
    const retry = vi.fn()
    renderApp(<JobDisplay job={{ ...initialJob('job-1'), ...status({ status: 'ExecuteError' }) }} onRetry={retry} />)
    const notice = screen.getByRole('alert')
    expect(notice.textContent).toContain('share the job ID with support')
    expect(within(notice).getByText('job-1')).toBeTruthy()
    await userEvent.click(within(notice).getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })

  it('shows one sentence and its id once', () => {
    const failed = { ...initialJob('job-1'), ...status({ status: 'WorkerExceptionError' }) }
    renderApp(<JobDisplay job={failed} hasId />)
    const notice = screen.getByRole('alert')
    expect(notice.textContent).toContain('The server that ran this had a problem.')
    expect(within(notice).queryByText('job-1')).toBeNull()
  })
})

describe('a job submitted on this page', () => {
  it('is confirmed with its id', () => {
    renderApp(<JobDisplay job={{ ...initialJob('job-1'), ...status({ status: 'Pending' }) }} created />)
    expect(screen.getByText('job created: job-1')).toBeTruthy()
  })
})

describe('a result', () => {
  it('can be published in place', async () => {
    const asset = picture({ _id: 'o-1' })
    stubApi({ 'GET /api/general/output-asset/o-1': { body: asset } })
    const images = [{ url: '/media/raw/a.png', outputAsset: 'o-1' }]
    renderApp(
      <JobDisplay job={{ ...initialJob('job-1'), ...status({ status: 'Done' }), outputs: [output({ images })] }} />,
    )
    await userEvent.click(await screen.findByRole('button', { name: 'Publish' }))
    await waitFor(() => expect(renderHook(() => useModal('publish')).result.current?.pictures).toHaveLength(1))
  })
})

describe('files that are no pictures', () => {
  it('have the names that their worker gave them', async () => {
    const file = { url: '/media/raw/abc/statue_00001_.glb', fileName: 'statue_00001_.glb', sizeBytes: 2048 }
    show({ ...status({ status: 'Done' }), outputs: [output({ files: [file] })] })
    expect(await screen.findByRole('button', { name: 'statue_00001_.glb · 2.0 kB' })).toBeTruthy()
  })

  it('have a place for a preview if they are 3D models that the browser can hold', async () => {
    const files = [
      { url: '/media/raw/abc/statue_00001_.glb', fileName: 'statue_00001_.glb', sizeBytes: 2048 },
      { url: '/media/raw/def/city_00001_.glb', fileName: 'city_00001_.glb', sizeBytes: 90_000_000 },
      { url: '/media/raw/123/statue_00001_.obj', fileName: 'statue_00001_.obj', sizeBytes: 2048 },
    ]
    show({ ...status({ status: 'Done' }), outputs: [output({ files })] })
    expect(await screen.findAllByTestId('model')).toHaveLength(1)
    expect(screen.getAllByRole('button', { name: /^(statue|city)_/ })).toHaveLength(3)
  })

  it('explain why a picture is too large, and offer the download', async () => {
    const file = {
      url: '/media/raw/abc.png',
      fileName: 'large_00001_.png',
      hasPreview: false,
      width: 17_000,
      height: 4,
    }
    const { container } = show({ ...status({ status: 'Done' }), outputs: [output({ images: [file] })] })
    const why = 'This picture is too large to be shown here. Download it to see it.'
    expect(await screen.findByText(why)).toBeTruthy()
    expect(screen.getByText('large_00001_.png')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Download' })).toBeTruthy()
    expect(container.querySelector('img')).toBeNull()
  })

  it('say that a moderator has hidden a file, in place of a broken picture', async () => {
    const note = { nodeId: '9', name: 'a.png', code: 'HIDDEN_BY_MODERATOR', message: 'hidden', count: 1 }
    show({ ...status({ status: 'Done' }), outputs: [{ ...output({}), undelivered: [note] }] })
    expect(await screen.findByText('A moderator has hidden this file.')).toBeTruthy()
    expect(screen.queryByRole('img')).toBeNull()
    expect(screen.queryByText('This output cannot be shown here.')).toBeNull()
  })

  it('say that a text was cut', async () => {
    const note = { nodeId: '9', name: 'text', code: 'TEXT_CUT', message: 'the text is longer', count: 1 }
    show({ ...status({ status: 'Done' }), outputs: [{ ...output({ text: ['begin'] }), undelivered: [note] }] })
    const why = 'The text is too long to be shown in full. Its beginning is here.'
    expect(await screen.findByText(why)).toBeTruthy()
  })
})
