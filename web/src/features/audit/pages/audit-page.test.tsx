import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AuditPage from './audit-page'

const LIST = 'GET /api/admin/audit'
const admin = { body: user({ _id: 'admin-1', roles: ['Customer', 'Admin'] }) }
const entry: AuditEntry = {
  _id: 'line-1',
  admin: { _id: 'admin-1', name: 'Ada', profile: null },
  action: 'workflow.update',
  target: 'workflow-1',
  person: { _id: 'user-1', name: 'Mira', profile: null },
  before: { isPrivate: false },
  after: { isPrivate: true },
  requestId: 'request-1',
  address: '192.0.2.7',
  createdAt: '2026-11-20T08:00:00Z',
}

describe('the audit log', () => {
  it('shows who changed what on which target, and the request', async () => {
    stubApi({ 'GET /api/auth': admin, [LIST]: { body: { items: [entry], nextCursor: null } } })
    renderApp(<AuditPage />)
    expect(await screen.findByText('of Mira')).toBeTruthy()
    for (const text of ['isPrivate', 'false', 'true', 'workflow-1', 'request-1', '192.0.2.7']) {
      expect(screen.getByText(text)).toBeTruthy()
    }
  })

  it('is filtered by action, target and admin, kept in the address', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      'GET /api/public/user/admin-1': { body: { _id: 'admin-1', name: 'Ada', profile: null } },
      [LIST]: { body: { items: [entry], nextCursor: null } },
    })
    const { router } = renderApp(<AuditPage />)
    await userEvent.selectOptions(await screen.findByLabelText('Action'), 'user.ban')
    await userEvent.click(await screen.findByText('Only this target'))
    await userEvent.click(await screen.findByText('Only this admin'))
    expect(router.state.location.search).toBe('?action=user.ban&target=workflow-1&admin=admin-1')
    await waitFor(() => {
      const asked = requests.filter((request) => request.path === '/api/admin/audit').at(-1)
      expect(asked?.search).toBe('?limit=50&admin=admin-1&action=user.ban&target=workflow-1')
    })
    await userEvent.click(
      await screen.findByRole('button', { name: 'Show the entries of all admins, not only of Ada' }),
    )
    expect(router.state.location.search).toBe('?action=user.ban&target=workflow-1')
  })

  it('finds nothing for text that is no id', async () => {
    stubApi({ 'GET /api/auth': admin, [LIST]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'x' } } })
    renderApp(<AuditPage />, { path: '/admin/audit?target=boats' })
    expect(await screen.findByText('This is not a valid ID.')).toBeTruthy()
  })
})
