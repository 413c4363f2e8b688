import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { LedgerEntry } from '@/shared/api/types'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import CreditsTab from './credits-tab'

const LIST = 'GET /api/general/credit/entries'
const CREDIT = {
  'GET /api/general/credit': {
    body: { available: 88, held: 0, grants: [], ceilings: { perRun: null, perDay: null }, spentToday: 12 },
  },
}
const entry = (kind: LedgerEntry['kind'], amount: number, job: string | null = 'job-1'): LedgerEntry => ({
  _id: `entry-${kind}`,
  kind,
  amount,
  balanceAfter: 88,
  job,
  grant: 'grant-1',
  createdAt: '2026-11-20T08:00:00Z',
})
const listed = (...items: LedgerEntry[]) => ({ body: { items, nextCursor: null } })
const ALL = listed(entry('Release', 18), entry('Capture', 12), entry('Hold', 30), entry('Grant', 100, null))
const rows = () => screen.getAllByRole('row').map((row) => row.textContent)
const file = () => screen.getByRole('link', { name: 'Download CSV' }).getAttribute('href')

describe('the statement', () => {
  it('has a line per job, and all of it in a file', async () => {
    const requests = stubApi({ ...CREDIT, [LIST]: ALL })
    renderApp(<CreditsTab />, { path: '/account?tab=credits' })
    expect(await screen.findByRole('link', { name: 'Job' })).toBeTruthy()
    expect(rows()).toHaveLength(3)
    expect(requests.at(-1)?.search).toBe('?limit=20')
    expect(file()).toBe('/api/general/credit/entries.csv')
  })

  it('is filtered by kind in the address, with each entry as it is', async () => {
    const requests = stubApi({ ...CREDIT, [LIST]: ALL })
    const { router } = renderApp(<CreditsTab />, { path: '/account?tab=credits' })
    await screen.findByRole('link', { name: 'Job' })
    await userEvent.selectOptions(screen.getByLabelText('What'), 'Spent by a job')
    expect(await screen.findByRole('link', { name: 'Spent by a job' })).toBeTruthy()
    expect(rows().slice(1)).toEqual([
      expect.stringContaining('Returned+1888'),
      expect.stringContaining('Spent by a job−1288'),
      expect.stringContaining('Held for a job−3088'),
      expect.stringContaining('Granted+10088'),
    ])
    expect(requests.at(-1)?.search).toBe('?limit=20&kind=Capture')
    expect(router.state.location.search).toBe('?tab=credits&kind=Capture')
    expect(file()).toBe('/api/general/credit/entries.csv?kind=Capture')
  })

  it('of days without entries can be shown whole again', async () => {
    const empty = (request: Request) => (new URL(request.url).searchParams.has('from') ? listed() : ALL)
    const requests = stubApi({ ...CREDIT, [LIST]: empty })
    const { router } = renderApp(<CreditsTab />, { path: '/account?tab=credits' })
    fireEvent.change(await screen.findByLabelText('From (UTC)'), { target: { value: '2026-11-01' } })
    fireEvent.change(screen.getByLabelText('Until (UTC)'), { target: { value: '2026-11-30' } })
    expect(await screen.findByText('Nothing in these days')).toBeTruthy()
    expect(router.state.location.search).toBe('?tab=credits&from=2026-11-01&until=2026-11-30')
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?limit=20&from=2026-11-01&until=2026-11-30'))
    expect(file()).toBe('/api/general/credit/entries.csv?from=2026-11-01&until=2026-11-30')
    await userEvent.click(screen.getByRole('button', { name: 'Show the whole statement' }))
    expect(await screen.findByRole('link', { name: 'Job' })).toBeTruthy()
    expect(router.state.location.search).toBe('?tab=credits')
  })

  it('is not asked for if the last day is before the first', async () => {
    const requests = stubApi({ ...CREDIT, [LIST]: ALL })
    renderApp(<CreditsTab />, { path: '/account?tab=credits&from=2026-11-30&until=2026-11-01' })
    expect(await screen.findByText('Choose a day that is not before the first.')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Download CSV' })).toBeNull()
    expect(requests.some(({ path }) => path.endsWith('/entries'))).toBe(false)
  })

  it('shows credits that were taken back as a kind of its own', async () => {
    const requests = stubApi({ ...CREDIT, [LIST]: listed(entry('Debit', 500, null)) })
    renderApp(<CreditsTab />, { path: '/account?tab=credits&kind=Debit' })
    await screen.findByRole('cell', { name: 'Taken back' })
    expect(rows()[1]).toContain('Taken back−500')
    expect(requests.at(-1)?.search).toBe('?limit=20&kind=Debit')
  })

  it('ignores unknown words and days in the address', async () => {
    const requests = stubApi({ ...CREDIT, [LIST]: ALL })
    renderApp(<CreditsTab />, { path: '/account?tab=credits&kind=Loan&from=2026-02-30&until=0000-01-01' })
    expect(await screen.findByRole('link', { name: 'Job' })).toBeTruthy()
    expect(requests.at(-1)?.search).toBe('?limit=20')
  })
})
