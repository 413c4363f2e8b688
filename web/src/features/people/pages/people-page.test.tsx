import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Person, PersonDetail } from '@/shared/api/types'
import { personMoney, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AddressesPage from './addresses-page'
import PeoplePage from './people-page'

const AT = '2026-11-20T08:00:00Z'
const admin = { body: user({ _id: 'admin-1', roles: ['Customer', 'Admin'] }) }

const person = (change: Partial<Person> = {}): Person => ({
  _id: 'user-1',
  name: 'Mira',
  nameTag: '#1234',
  email: 'mira@example.com',
  emailVerified: true,
  language: 'en',
  roles: ['Customer'],
  plan: 'Free',
  planUntil: null,
  ownPlan: 'Free',
  profile: null,
  hasPassword: true,
  signInWith: ['Google'],
  ban: null,
  createdAt: AT,
  ...change,
})

const detail = (change: Partial<PersonDetail> = {}): PersonDetail => ({
  ...person(),
  credits: 6000,
  sessionCount: 2,
  history: [],
  ...change,
})

const LIST = 'GET /api/admin/user'
const ONE = 'GET /api/admin/user/user-1'
const MONEY = 'GET /api/admin/user/user-1/money'

describe('the people page', () => {
  it('finds people by prefix, and bans one with length and reason', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: { body: { items: [person()], nextCursor: null } },
      [ONE]: { body: detail() },
      [MONEY]: { body: personMoney() },
      'POST /api/admin/user/user-1/ban': { body: { since: AT, until: null, reason: 'spam' } },
    })
    const { router } = renderApp(<PeoplePage />)
    await userEvent.type(await screen.findByRole('searchbox'), 'mir{Enter}')
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?limit=30&keyword=mir'))
    await userEvent.click(await screen.findByRole('link', { name: /mira@example.com/ }))
    expect(router.state.location.search).toBe('?keyword=mir&user=user-1')
    expect(await screen.findByText('Password, Google')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Ban' }))
    const dialog = await screen.findByRole('dialog', { name: 'Ban Mira' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Ban' }))
    expect(within(dialog).getByRole('alert').textContent).toBe('Write 1 to 1000 characters.')
    await userEvent.selectOptions(within(dialog).getByLabelText('Length of the ban'), 'good')
    await userEvent.type(within(dialog).getByLabelText('Reason'), 'spam')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Ban' }))
    expect(await screen.findByText('The ban is in effect')).toBeTruthy()
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({ reason: 'spam' })
  })

  it('shows a ban, which is lifted after a confirmation', async () => {
    const ban = { since: AT, until: null, reason: 'spam' }
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: { body: { items: [person({ ban })], nextCursor: null } },
      [ONE]: { body: detail({ ban }) },
      [MONEY]: { body: personMoney() },
      'DELETE /api/admin/user/user-1/ban': { status: 409, body: { code: 'NOT_BANNED', message: 'x' } },
    })
    renderApp(<PeoplePage />, { path: '/admin/user/info?user=user-1' })
    expect(await screen.findByText('Banned permanently.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Lift the ban' }))
    expect(requests.some((request) => request.method === 'DELETE')).toBe(false)
    const question = await screen.findByRole('dialog')
    await userEvent.click(within(question).getByRole('button', { name: 'Lift the ban' }))
    expect(await screen.findByText('This person is no longer banned.')).toBeTruthy()
  })

  it('makes users admins after a confirmation, but not oneself a user', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: { body: { items: [], nextCursor: null } },
      [ONE]: { body: detail() },
      [MONEY]: { body: personMoney() },
      'GET /api/admin/user/admin-1/money': { body: personMoney() },
      'GET /api/admin/user/admin-1': { body: detail({ _id: 'admin-1', roles: ['Customer', 'Admin'] }) },
      'PATCH /api/admin/user/user-1/role': { body: person({ roles: ['Customer', 'Admin'] }) },
    })
    const { unmount } = renderApp(<PeoplePage />, { path: '/admin/user/info?user=user-1' })
    await userEvent.click(await screen.findByRole('button', { name: 'Make an admin' }))
    const question = await screen.findByRole('dialog', { name: 'Make Mira an admin?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Make an admin' }))
    expect(await screen.findByText('Mira is an admin now')).toBeTruthy()
    expect(requests.find((request) => request.method === 'PATCH')?.body).toEqual({ isAdmin: true })
    unmount()
    renderApp(<PeoplePage />, { path: '/admin/user/info?user=admin-1' })
    expect(await screen.findByRole('button', { name: 'Warn' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Remove the admin role' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Ban' })).toBeNull()
  })

  it('grants credits with a reason, and confirms an address', async () => {
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: { body: { items: [], nextCursor: null } },
      [ONE]: { body: detail({ emailVerified: false }) },
      [MONEY]: { body: personMoney() },
      'POST /api/admin/credit/grant': { status: 201, body: { credits: 7000 } },
      'POST /api/admin/user/user-1/confirm': { body: person() },
    })
    const posts = () => requests.filter((request) => request.method === 'POST')
    renderApp(<PeoplePage />, { path: '/admin/user/info?user=user-1' })
    await userEvent.click(await screen.findByRole('button', { name: 'Give credits' }))
    const dialog = await screen.findByRole('dialog', { name: 'Give credits to Mira' })
    const give = within(dialog).getByRole('button', { name: 'Give credits' })
    await userEvent.type(within(dialog).getByLabelText('Amount'), '0.5')
    await userEvent.click(give)
    expect(
      within(dialog)
        .getAllByRole('alert')
        .map((alert) => alert.textContent),
    ).toEqual(['Enter a whole number from 1 to 1,000,000,000,000.', 'Enter a reason.'])
    await userEvent.clear(within(dialog).getByLabelText('Amount'))
    await userEvent.type(within(dialog).getByLabelText('Amount'), '1000')
    await userEvent.type(within(dialog).getByLabelText('Reason'), ' A lost job ')
    await userEvent.click(give)
    expect(await screen.findByText('1,000 credits given')).toBeTruthy()
    expect(posts()[0]?.body).toEqual({ user: 'user-1', amount: 1000, reason: 'A lost job' })
    await userEvent.click(screen.getByRole('button', { name: 'Confirm the address' }))
    const question = await screen.findByRole('dialog', { name: 'Confirm mira@example.com?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Confirm the address' }))
    expect(await screen.findByText('The address was confirmed')).toBeTruthy()
    expect(posts()).toHaveLength(2)
  })

  it('gives a plan for a time', async () => {
    const plans = ['Free', 'Pro'].map((name) => ({ name }))
    const requests = stubApi({
      'GET /api/auth': admin,
      [LIST]: { body: { items: [], nextCursor: null } },
      [ONE]: { body: detail({ plan: 'Basic', ownPlan: 'Free', planUntil: '2099-02-01T00:00:00Z' }) },
      [MONEY]: { body: personMoney() },
      'GET /api/public/plan': { body: { items: plans } },
      'PUT /api/admin/user/user-1/plan': { body: person() },
    })
    renderApp(<PeoplePage />, { path: '/admin/user/info?user=user-1' })
    expect(await screen.findByText(/^Basic, until/)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Give a plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Give Mira a plan' }))
    await dialog.findByRole('option', { name: 'Pro' })
    await userEvent.selectOptions(dialog.getByLabelText('Plan'), 'Pro')
    expect(dialog.getByText(/Afterwards they have Free again/)).toBeTruthy()
    await userEvent.type(dialog.getByLabelText(/Valid until/), '2000-01-01')
    await userEvent.click(dialog.getByRole('button', { name: 'Give a plan' }))
    expect(dialog.getByText('Choose today or a later day.')).toBeTruthy()
    await userEvent.clear(dialog.getByLabelText(/Valid until/))
    await userEvent.click(dialog.getByRole('button', { name: 'Give a plan' }))
    expect(await screen.findByText('They have the plan Pro now')).toBeTruthy()
    const sent = requests.find(({ method }) => method === 'PUT')
    expect(sent?.body).toEqual({ plan: 'Pro', until: null })
  })

  it('lists people by their IP addresses', async () => {
    const seen = {
      _id: 's-1',
      user: { _id: 'user-1', name: 'Mira', profile: null },
      address: '192.0.2.7',
      userAgent: 'Firefox',
      createdAt: AT,
      lastSeenAt: AT,
    }
    const requests = stubApi({
      'GET /api/auth': admin,
      'GET /api/admin/session': { body: { items: [seen], nextCursor: null } },
    })
    const { router } = renderApp(<AddressesPage />, { path: '/admin/ip-list' })
    await userEvent.click(await screen.findByRole('link', { name: '192.0.2.7' }))
    expect(router.state.location.search).toBe('?address=192.0.2.7')
    await waitFor(() => expect(requests.at(-1)?.search).toBe('?limit=50&address=192.0.2.7'))
    expect((await screen.findByRole('link', { name: /Mira/ })).getAttribute('href')).toBe(
      '/admin/user/info?user=user-1',
    )
  })
})
