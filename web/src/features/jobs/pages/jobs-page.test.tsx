import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { Job } from '@/shared/api/types'
import { job, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import JobsPage from './jobs-page'

const LIST = 'GET /api/general/job'
const list = (items: Job[]) => ({ body: { items, nextCursor: null } })
const batch = {
  _id: 'b-1',
  total: 4,
  active: 2,
  byStatus: {},
  cancelRequestedAt: null,
  createdAt: '2026-11-20T08:00:00Z',
}

function setup(handlers: Parameters<typeof stubApi>[0], path = '/jobs') {
  const requests = stubApi({ 'GET /api/auth': { body: user() }, ...handlers })
  const part = (
    <LoginDialogProvider>
      <JobsPage />
    </LoginDialogProvider>
  )
  const posts = () => requests.filter(({ method }) => method === 'POST').map(({ path }) => path)
  return { requests, posts, ...renderApp(part, { path }) }
}

describe('active jobs', () => {
  it('are canceled at once after a confirmation: single jobs one by one, a batch as one, from all pages of the list', async () => {
    const waiting = [job({ _id: 'a' }), job({ _id: 'b', batch: 'b-1' }), job({ _id: 'c', batch: 'b-1' })]
    const running = job({ _id: 'r' })
    let canceled = false
    const { posts } = setup({
      [LIST]: (request) => {
        const asked = new URL(request.url).searchParams
        if (asked.get('limit') !== '100') return list([...waiting, running])
        if (asked.get('cursor')) return list([job({ _id: 'z' })])
        const first = canceled ? [running] : [...waiting, running]
        return { body: { items: first, nextCursor: 'next' } }
      },
      'GET /api/general/job/batch/b-1': { body: batch },
      'POST /api/general/job/batch/b-1/cancel': { body: batch },
      ...Object.fromEntries(
        ['a', 'r', 'z'].map((id) => [
          `POST /api/general/job/${id}/cancel`,
          () => {
            canceled = true
            return { body: { _id: id, status: 'Canceled' } }
          },
        ]),
      ),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel all jobs' }))
    const question = await screen.findByRole('dialog', { name: 'Cancel all waiting and running jobs?' })
    expect(posts()).toEqual([])
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel all jobs' }))
    expect(await screen.findByText('Your jobs are being canceled.')).toBeTruthy()
    expect(posts().sort()).toEqual([
      '/api/general/job/a/cancel',
      '/api/general/job/batch/b-1/cancel',
      '/api/general/job/r/cancel',
      '/api/general/job/z/cancel',
    ])
  })

  it('have no "cancel all" if there is only one, or one batch with its own button', async () => {
    const one = setup({ [LIST]: list([job({ _id: 'a' }), job({ _id: 'd', status: 'Done' })]) })
    await screen.findAllByRole('listitem')
    expect(screen.queryByRole('button', { name: 'Cancel all jobs' })).toBeNull()
    one.unmount()
    setup({
      [LIST]: list([job({ _id: 'b', batch: 'b-1' }), job({ _id: 'c', batch: 'b-1' })]),
      'GET /api/general/job/batch/b-1': { body: batch },
    })
    expect(await screen.findByRole('button', { name: 'Cancel the rest' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel all jobs' })).toBeNull()
  })

  it('show when some could not be canceled', async () => {
    setup({
      [LIST]: list([job({ _id: 'a' }), job({ _id: 'b' })]),
      'POST /api/general/job/a/cancel': { body: { _id: 'a', status: 'Canceled' } },
      'POST /api/general/job/b/cancel': { status: 500, body: { code: 'INTERNAL', message: 'broken' } },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel all jobs' }))
    const question = await screen.findByRole('dialog')
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel all jobs' }))
    expect(await screen.findByText(/^Not all jobs could be canceled/)).toBeTruthy()
  })
})

describe('jobs of one batch', () => {
  it('are grouped under their progress and canceled together', async () => {
    const { posts } = setup({
      [LIST]: list([
        job({ _id: 'b', batch: 'b-1' }),
        job({ _id: 'c', batch: 'b-1', status: 'Done' }),
        job({ _id: 'd', status: 'Done' }),
      ]),
      'GET /api/general/job/batch/b-1': { body: batch },
      'POST /api/general/job/batch/b-1/cancel': { body: { ...batch, cancelRequestedAt: '2026-11-20T08:00:01Z' } },
    })
    const head = (await screen.findByText('Batch of 4 jobs')).closest('div[class*=batch]') as HTMLElement
    expect(within(head).getByText('2 of 4 finished')).toBeTruthy()
    expect(within(head).getAllByRole('listitem')).toHaveLength(2)
    await userEvent.click(within(head).getByRole('button', { name: 'Cancel the rest' }))
    await userEvent.click(
      within(await screen.findByRole('dialog', { name: 'Cancel 2 jobs?' })).getByRole('button', {
        name: 'Cancel 2 jobs',
      }),
    )
    await waitFor(() => expect(posts()).toEqual(['/api/general/job/batch/b-1/cancel']))
  })
})

describe('a job in the list', () => {
  it('shows its first result and the number of others', async () => {
    const result = { thumbnailUrl: '/media/w200/r.png', blurHash: null, isNsfw: false, count: 3 }
    setup({ [LIST]: list([job({ status: 'Done', result: result as never })]) })
    const made = await screen.findByRole<HTMLImageElement>('img', { name: 'Result of Silk' })
    expect(made.getAttribute('src')).toBe('/media/w200/r.png')
    expect(screen.getByText('+2')).toBeTruthy()
  })

  it('shows its labels, each of which leads to the jobs that have it', async () => {
    setup({ [LIST]: list([job({ labels: { client: 'acme', run: 'a&b' } })]) })
    const label = await screen.findByRole('link', { name: 'run=a&b' })
    expect(label.getAttribute('href')).toBe('/jobs?label=run%3Da%26b')
  })
})

describe('jobs with a label', () => {
  it('are asked for by it, under its name', async () => {
    const asked: (string | null)[] = []
    setup(
      {
        [LIST]: (request) => {
          asked.push(new URL(request.url).searchParams.get('label'))
          return list([job({ _id: 'a' }), job({ _id: 'b' })])
        },
      },
      '/jobs?label=run%3Da%26b',
    )
    expect(await screen.findByText('Jobs with the label run=a&b')).toBeTruthy()
    expect(await screen.findAllByRole('listitem')).toHaveLength(2)
    expect(asked[0]).toBe('run=a&b')
    expect(screen.queryByRole('button', { name: 'Cancel all jobs' })).toBeNull()
    expect(screen.getByRole('link', { name: 'All my jobs' }).getAttribute('href')).toBe('/jobs')
  })
})
