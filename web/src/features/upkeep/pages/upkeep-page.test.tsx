import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { AdminOnly, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { UpkeepTask } from '@/shared/api/types'
import { upkeepTask, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import UpkeepPage from './upkeep-page'

const LIST = 'GET /api/admin/upkeep'
const RUN = 'POST /api/admin/upkeep/digests/run'
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
const listed = (...items: UpkeepTask[]) => ({ body: { items } })

function open(who = user({ roles: ['Customer', 'Admin'] })) {
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  return renderApp(
    <AdminOnly>
      <UpkeepPage />
    </AdminOnly>,
    { client, path: '/admin/upkeep' },
  )
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest('tr') ?? document.body)

describe('the upkeep tasks', () => {
  it('show their last round and the next one', async () => {
    const round = { startedAt: ago(182), endedAt: ago(180), dueAt: ago(-3630), everySeconds: 3600 }
    stubApi({ [LIST]: listed(upkeepTask({ ...round, done: 1234, batch: 5000 })) })
    open()
    const row = await rowOf('E-mails about notifications')
    for (const text of [
      'OK',
      '3 minutes ago',
      'Took 2.0s',
      '1,234',
      'At most 5,000',
      'Interval: 1 hour',
      'Next run: in 1 hour',
    ]) {
      expect(row.getByText(text)).toBeTruthy()
    }
  })

  it('come first if failing, with the full error', async () => {
    const error = 'the mail server does not answer\nconnection refused'
    stubApi({
      [LIST]: listed(
        upkeepTask({ name: 'app_traits', isRunning: true, startedAt: ago(5) }),
        upkeepTask({ failures: 3, error }),
        upkeepTask({ name: 'file_walk', node: null, startedAt: null, endedAt: null, dueAt: null }),
      ),
    })
    open()
    const row = await rowOf('E-mails about notifications')
    expect(row.getByText('Failed 3 times')).toBeTruthy()
    expect(row.getByText(/the mail server does not answer\s+connection refused/)).toBeTruthy()
    const [, ...names] = screen.getAllByRole('row').map((one) => one.querySelector('p')?.textContent)
    expect(names).toEqual(['E-mails about notifications', 'Traits of mini apps', 'File check'])
    expect((await rowOf('Traits of mini apps')).getByText('Running')).toBeTruthy()
    expect((await rowOf('File check')).getByText('Not run yet')).toBeTruthy()
  })

  it('of a newer server show their plain name', async () => {
    stubApi({ [LIST]: listed(upkeepTask({ name: 'moon_phases' })) })
    open()
    expect(await screen.findByRole('button', { name: 'Run now: moon_phases' })).toBeTruthy()
  })

  it('run on a press', async () => {
    let dueAt = ago(-50)
    const requests = stubApi({
      [LIST]: () => listed(upkeepTask({ dueAt })),
      [RUN]: () => {
        dueAt = ago(0)
        return { body: upkeepTask({ dueAt }) }
      },
    })
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Run now: E-mails about notifications' }))
    expect(await screen.findByText('“E-mails about notifications” will run now')).toBeTruthy()
    expect(screen.getByText('Due now')).toBeTruthy()
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('are named if they cannot be run', async () => {
    stubApi({ [LIST]: listed(upkeepTask()), [RUN]: { status: 503, body: { code: 'UNAVAILABLE', message: 'x' } } })
    open()
    await userEvent.click(await screen.findByRole('button', { name: 'Run now: E-mails about notifications' }))
    expect(await screen.findByText('“E-mails about notifications” could not be run.')).toBeTruthy()
  })
})

describe('the upkeep page', () => {
  it('refetches while it is visible', async () => {
    const requests = stubApi({ [LIST]: listed(upkeepTask()) })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open()
    await waitFor(() => expect(requests).toHaveLength(1))
    await act(() => vi.advanceTimersByTimeAsync(3000))
    await waitFor(() => expect(requests.length).toBeGreaterThan(1))
  })

  it('offers a retry when the list fails to load', async () => {
    stubApi({ [LIST]: { status: 503, body: { code: 'UNAVAILABLE', message: 'x' } } })
    open()
    expect(await screen.findByRole('button', { name: 'Try Again' })).toBeTruthy()
  })

  it('says when there are no tasks', async () => {
    stubApi({ [LIST]: listed() })
    open()
    expect(await screen.findByText('No background tasks')).toBeTruthy()
  })
})
