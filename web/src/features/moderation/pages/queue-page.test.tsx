import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { ModerationCase, ModerationCaseDetail } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import QueuePage from './queue-page'

const AT = '2026-11-20T08:00:00Z'
const LIST = 'GET /api/admin/moderation'
const ONE = 'GET /api/admin/moderation/case-1'
const DECIDE = 'POST /api/admin/moderation/case-1/decide'
const admin = { body: user({ _id: 'admin-1', roles: ['Customer', 'Admin'] }) }

const moderationCase = (change: Partial<ModerationCase> = {}): ModerationCase => ({
  _id: 'case-1',
  kind: 'Workflow',
  target: 'workflow-1',
  author: { _id: 'user-1', name: 'Mira', profile: null },
  state: 'Open',
  revision: 3,
  openReports: 2,
  allReports: 2,
  seen: { title: 'Boats', content: 'Folds of silk', picture: null },
  createdAt: AT,
  reportedAt: AT,
  decidedAt: null,
  decidedBy: null,
  ...change,
})

const detail = (change: Partial<ModerationCaseDetail> = {}): ModerationCaseDetail => ({
  ...moderationCase(),
  now: { title: 'Harmless', content: 'Folds of silk', picture: null },
  workflow: null,
  outputAsset: null,
  reports: [
    {
      _id: 'report-1',
      reporter: { _id: 'user-2', name: 'Bo', profile: null },
      reason: 'Hate',
      text: 'look at it',
      seen: { title: 'Boats', content: '', picture: null },
      createdAt: AT,
      updatedAt: AT,
      closedAt: null,
    },
  ],
  history: [],
  authorBan: null,
  ...change,
})

const page = (items: ModerationCase[]) => ({ body: { items, nextCursor: null } })

describe('the moderation queue', () => {
  it('shows the number of open cases', async () => {
    stubApi({ 'GET /api/auth': admin, [LIST]: page([moderationCase(), moderationCase({ _id: 'case-2' })]) })
    renderApp(<QueuePage />)
    expect(await screen.findByRole('radio', { name: 'Open (2)' })).toBeTruthy()
  })

  it('shows the content before and now, and sends a verdict with warning and ban', async () => {
    let decided = false
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: page([moderationCase()]),
      [ONE]: () => ({ body: decided ? detail({ state: 'Hidden', revision: 4 }) : detail() }),
      [DECIDE]: () => {
        decided = true
        return { body: moderationCase({ state: 'Hidden', revision: 4 }) }
      },
    })
    renderApp(<QueuePage />)
    await userEvent.click(await screen.findByRole('link', { name: /Boats/ }))
    expect(await screen.findByRole('heading', { name: 'Boats' })).toBeTruthy()
    expect(screen.getByText('Harmless')).toBeTruthy()
    expect(screen.getByText('look at it')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See it in context' }).getAttribute('href')).toBe(
      '/admin/workflows/workflow-1',
    )

    await userEvent.click(screen.getByLabelText('Ban the author'))
    await userEvent.click(screen.getByRole('button', { name: 'Hide it' }))
    expect(screen.getByRole('alert').textContent).toBe('Write 1 to 1000 characters.')
    await userEvent.selectOptions(screen.getByLabelText('Length of the ban'), '30')
    await userEvent.type(screen.getByLabelText('Reason'), 'hate')
    await userEvent.click(screen.getByLabelText('Warn the author'))
    await userEvent.type(screen.getByLabelText('Warning'), 'not here')
    await userEvent.click(screen.getByRole('button', { name: 'Hide it' }))
    const question = await screen.findByRole('dialog')
    expect(within(question).getByText('Mira will also be banned: 30 days.')).toBeTruthy()
    expect(requests.some((request) => request.method === 'POST')).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Hide it' }))
    expect(await screen.findByText('It was hidden')).toBeTruthy()
    expect(await screen.findByRole('button', { name: 'Restore it' })).toBeTruthy()
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({
      revision: 3,
      verdict: 'Hide',
      warning: 'not here',
      ban: { days: 30, reason: 'hate' },
    })
  })

  it('tells the second of two admins that the case was decided, and reloads it', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: page([moderationCase()]),
      [ONE]: { body: detail() },
      [DECIDE]: { status: 409, body: { code: 'CASE_CHANGED', message: 'x' } },
    })
    renderApp(<QueuePage />, { path: '/admin/moderation?case=case-1' })
    const asked = () => requests.filter((request) => request.path.endsWith('/case-1')).length
    await userEvent.click(await screen.findByRole('button', { name: 'Keep it' }))
    expect(await screen.findByText('Another moderator has changed this case. Please check it again.')).toBeTruthy()
    await waitFor(() => expect(asked()).toBe(2))
  })

  it('offers the possible verdicts of each state', async () => {
    stubApi({
      'GET /api/auth': admin,
      [LIST]: page([]),
      [ONE]: { body: detail({ state: 'Deleted', now: null }) },
    })
    renderApp(<QueuePage />, { path: '/admin/moderation?state=Deleted&case=case-1' })
    expect(await screen.findByText('This case is closed for good.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /it$/ })).toBeNull()
    expect(screen.queryByRole('link', { name: 'See it in context' })).toBeNull()
  })

  it('keeps state, kind and order in the address', async () => {
    const requests = stubApi({ 'GET /api/auth': admin, [LIST]: page([]) })
    const { router } = renderApp(<QueuePage />)
    expect(await screen.findByText('No open cases')).toBeTruthy()
    expect(new URLSearchParams(requests.at(-1)?.search).get('state')).toBe('Open')
    await userEvent.click(screen.getByRole('radio', { name: 'All' }))
    await userEvent.selectOptions(screen.getByLabelText('Kind'), 'Comment')
    await userEvent.selectOptions(screen.getByLabelText('Order'), 'mostReported')
    expect(router.state.location.search).toBe('?state=All&kind=Comment&sort=mostReported')
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?sort=mostReported&kind=Comment'))
  })
})
