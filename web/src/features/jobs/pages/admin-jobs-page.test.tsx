import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { AnyJob, Person } from '@/shared/api/types'
import { showAllInView } from '@/shared/testing/in-view'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminJobsPage from './admin-jobs-page'

const LIST = 'GET /api/admin/job'
const JOB: AnyJob = {
  _id: 'job-1',
  user: null,
  status: 'ExecuteError',
  fault: 'graph',
  executeException: { exception_message: 'out of memory' },
  validateException: null,
  workflowApi: 'app-1',
  workflowApiVersion: 'version-1',
  workflow: { _id: 'workflow-1', name: 'Portraits' },
  lane: 'api',
  priceClass: 'standard',
  pool: 'gpu',
  worker: { _id: 'worker-1', name: 'box-7' },
  attempt: 2,
  createdAt: '2026-01-02T03:04:05Z',
  startedAt: null,
  endedAt: null,
  durationMs: 1500,
  creditsUsed: 12,
  labels: { order: '42' },
}

const PEOPLE = 'GET /api/admin/user'
const APP = '01970000-0000-7000-8000-0000000000ab'
const PERSONS = ['Mira', 'Mina'].map(
  (name, at): Person => ({
    _id: `01970000-0000-7000-8000-00000000000${at}`,
    name,
    nameTag: `#000${at}`,
    email: `${name.toLowerCase()}@example.com`,
    emailVerified: true,
    language: 'en',
    roles: ['Customer'],
    plan: 'Free',
    ownPlan: 'Free',
    hasPassword: true,
    signInWith: [],
    createdAt: '2026-01-02T03:04:05Z',
  }),
)

describe('the jobs of all users', () => {
  it('are listed with their reason, their worker and their labels', async () => {
    stubApi({ [LIST]: { body: { items: [JOB], nextCursor: null } } })
    renderApp(<AdminJobsPage />)
    expect((await screen.findByRole('link', { name: 'Portraits' })).getAttribute('href')).toBe('/jobs/job-1')
    expect(screen.getByText('out of memory')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'box-7' }).getAttribute('href')).toBe('/admin/list/jobs?worker=worker-1')
    expect(screen.getByRole('link', { name: 'order=42' }).getAttribute('href')).toBe(
      '/admin/list/jobs?label=order%3D42',
    )
    expect(screen.queryByRole('button', { name: 'Cancel job' })).toBeNull()
  })

  it('are filtered by an account that a part of its name finds', async () => {
    const requests = stubApi({
      [LIST]: { body: { items: [], nextCursor: null } },
      [PEOPLE]: ({ url }) => ({ body: { items: url.includes('keyword=mi') ? PERSONS : [], nextCursor: null } }),
    })
    const { router } = renderApp(<AdminJobsPage />)
    const field = await screen.findByRole('combobox', { name: 'Account' })
    await userEvent.type(field, 'mi')
    const list = await screen.findByRole('listbox', { name: 'Account' })
    expect(within(list).getAllByRole('option')).toHaveLength(2)
    await userEvent.type(field, '{Enter}')
    expect(screen.getByText('Choose an account from the list.')).toBeTruthy()
    await userEvent.type(field, '{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.search).toBe(`?user=${PERSONS[1]?._id}`))
    await waitFor(() => expect((field as HTMLInputElement).value).toBe('Mina'))
    expect(screen.queryByRole('listbox')).toBeNull()
    await waitFor(() => expect(requests.at(-1)?.search).toBe(`?limit=50&user=${PERSONS[1]?._id}`))
    await userEvent.clear(field)
    await userEvent.tab()
    await waitFor(() => expect(router.state.location.search).toBe(''))
  })

  it('name the account of the address, and take a pasted id', async () => {
    const [mira, mina] = PERSONS as [Person, Person]
    stubApi({
      [LIST]: { body: { items: [], nextCursor: null } },
      [PEOPLE]: ({ url }) => ({ body: { items: [url.includes(mira._id) ? mira : mina], nextCursor: null } }),
    })
    const { router } = renderApp(<AdminJobsPage />, { path: `/admin/list/jobs?user=${mira._id}` })
    const field = await screen.findByRole('combobox', { name: 'Account' })
    await waitFor(() => expect((field as HTMLInputElement).value).toBe('Mira'))
    await userEvent.click(field)
    await userEvent.clear(field)
    await userEvent.paste(mina._id)
    await userEvent.keyboard('{Enter}')
    await waitFor(() => expect(router.state.location.search).toBe(`?user=${mina._id}`))
    await waitFor(() => expect((field as HTMLInputElement).value).toBe('Mina'))
  })

  it('are filtered by the pasted address of an app', async () => {
    stubApi({ [LIST]: { body: { items: [], nextCursor: null } } })
    const { router } = renderApp(<AdminJobsPage />)
    const field = await screen.findByRole('textbox', { name: 'App ID or address' })
    await userEvent.type(field, 'Portraits')
    expect(screen.getByText('Enter the ID of an app or the address of its page.')).toBeTruthy()
    await userEvent.clear(field)
    await userEvent.type(field, `https://example.com/easy-app/${APP}?job=1{Enter}`)
    await waitFor(() => expect(router.state.location.search).toBe(`?app=${APP}`))
    await waitFor(() => expect((field as HTMLInputElement).value).toBe(APP))
  })

  it('are filtered by a typed label, which must be one', async () => {
    stubApi({ [LIST]: { body: { items: [], nextCursor: null } } })
    renderApp(<AdminJobsPage />)
    await screen.findByText('No jobs yet')
    const field = screen.getByRole('textbox', { name: 'Label (key=value)' })
    await userEvent.type(field, 'order')
    expect(screen.getByText('Enter a label as key=value.')).toBeTruthy()
    await userEvent.type(field, '=42{Enter}')
    expect(await screen.findByText('No job matches')).toBeTruthy()
  })

  it('stop after five pages without a match while their end is in view, and search on when asked', async () => {
    showAllInView()
    const page = (at: number) =>
      at === 5
        ? { items: [JOB], nextCursor: null, searched: null }
        : { items: [], nextCursor: `cursor-${at + 1}`, searched: { jobs: 10_000, backTo: '2026-01-02T03:04:05Z' } }
    const requests = stubApi({
      [LIST]: async ({ url }) => {
        // An answer of the same tick would hide that the page is loading.
        await new Promise((answer) => setTimeout(answer, 5))
        return { body: page(Number(/cursor-(\d)/.exec(url)?.[1] ?? 0)) }
      },
    })
    renderApp(<AdminJobsPage />, { path: '/admin/list/jobs?pool=rare' })
    expect(await screen.findByText('No match in the last 50,000 jobs')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
    expect(requests).toHaveLength(5)
    await userEvent.click(screen.getByRole('button', { name: 'Search further back' }))
    expect(await screen.findByRole('link', { name: 'Portraits' })).toBeTruthy()
    expect(screen.queryByText(/^No match/)).toBeNull()
  })
})
