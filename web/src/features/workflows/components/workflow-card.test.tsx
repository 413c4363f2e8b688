import { useInfiniteQuery } from '@tanstack/react-query'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { User, Workflow } from '@/shared/api/types'
import { showLanguage } from '@/shared/i18n'
import { chooseNsfw } from '@/shared/lib/nsfw'
import { user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { workflowsQuery } from '../api'
import { WorkflowList } from './workflow-grid'

const author = { _id: 'someone-else', name: 'Ada' }
const mine = { _id: 'user-1', name: 'Mira' }
const me = user()
const admin = user({ _id: 'boss', roles: ['Customer', 'Admin'] })

function List() {
  const list = useInfiniteQuery(workflowsQuery({ nsfw: 'View' }))
  return <WorkflowList list={list} empty={null} mode="edited" />
}

function setup(who: User | null, shown: Workflow, handlers: Parameters<typeof stubApi>[0] = {}, path = '/workflows') {
  const requests = stubApi({
    'GET /api/auth': who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/public/workflow': {
      body: { items: [shown, workflow({ _id: 'other', name: 'Other' })], nextCursor: null },
    },
    ...handlers,
  })
  const part = (
    <LoginDialogProvider>
      <List />
    </LoginDialogProvider>
  )
  return { requests, ...renderApp(part, { path }) }
}

const card = async (name = 'Silk') =>
  within((await screen.findByRole('link', { name })).closest('article') as HTMLElement)
const menu = async () => {
  await userEvent.click(await (await card()).findByRole('button', { name: 'Actions for Silk' }))
  return screen.getAllByRole('menuitem').map((item) => item.textContent)
}
const plan = (stealthMode: boolean) => ({
  'GET /api/auth/me/subscription': { body: { name: stealthMode ? 'Pro' : 'Free', stealthMode } },
})
const lists = (requests: { method: string; path: string }[]) =>
  requests.filter(({ method, path }) => method === 'GET' && path === '/api/public/workflow')

beforeEach(() => chooseNsfw('blur'))

describe('a workflow card', () => {
  afterEach(() => showLanguage('en'))

  it('says when no worker can run its mini app, and nothing if unknown', async () => {
    const stuck = setup(null, workflow({ workflowApi: 'app-1', workflowApiWorks: false }))
    expect((await card()).getByText('Not working now')).toBeTruthy()
    stuck.unmount()
    setup(null, workflow({ workflowApi: 'app-1', workflowApiWorks: null }))
    expect((await card()).queryByText('Not working now')).toBeNull()
  })

  it('uses the Korean title on a Korean page', async () => {
    await showLanguage('ko')
    setup(null, workflow({ translations: { ko: { name: '주름진 비단' } } }))
    expect(await screen.findByRole('link', { name: '주름진 비단' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Other' })).toBeTruthy()
    expect(screen.queryByText('Silk')).toBeNull()
  })

  it('offers like, share, copy and download to other users', async () => {
    setup(me, workflow({ user: author }))
    await waitFor(async () => expect((await card()).getByRole('button', { name: 'Favorite' })).toBeTruthy())
    expect(await menu()).toEqual([
      'Run',
      'Open in the editor',
      'Favorite',
      'Share',
      'Make a copy',
      'Download JSON',
      'Report',
    ])
  })

  it('offers publish, edit and delete to the owner, without like', async () => {
    setup(me, workflow({ user: mine, isPrivate: true, workflowApi: 'app-1' }))
    await waitFor(async () => expect((await card()).queryByRole('button', { name: 'Favorite' })).toBeNull())
    expect((await card()).getByRole('button', { name: 'Upload' })).toBeTruthy()
    expect(await menu()).toEqual([
      'Run',
      'Open in the editor',
      'Share',
      'Make a copy',
      'Download JSON',
      'Edit',
      'API',
      'Publish',
      'Delete',
    ])
  })

  it('offers admins on admin pages two switches and a link to the admin page', async () => {
    const { requests } = setup(
      admin,
      workflow({ user: author }),
      { 'PATCH /api/general/workflow/workflow-1': { body: workflow({ isNsfw: true }) } },
      '/admin/workflows',
    )
    const switches = await card()
    expect((await switches.findByRole('button', { name: 'Public' })).getAttribute('aria-pressed')).toBe('true')
    expect(switches.getByRole('link', { name: 'Silk' }).getAttribute('href')).toBe('/admin/workflows/workflow-1')
    expect(switches.getByText(/^Edited at /)).toBeTruthy()
    await userEvent.click(switches.getByRole('button', { name: 'SFW' }))
    await waitFor(() => expect(requests.find((r) => r.method === 'PATCH')?.body).toEqual({ isNsfw: true }))
    expect(await screen.findByText('The setting was changed.')).toBeTruthy()
  })

  it('asks admins before hiding a post', async () => {
    const { requests } = setup(
      admin,
      workflow({ user: author }),
      { 'PATCH /api/general/workflow/privates': { body: { items: [] } } },
      '/admin/workflows',
    )
    await userEvent.click(await (await card()).findByRole('button', { name: 'Public' }))
    const question = await screen.findByRole('dialog', { name: 'Unpublish “Silk”?' })
    expect(within(question).getByText(/This is recorded in the audit log/)).toBeTruthy()
    expect(requests.some(({ method }) => method === 'PATCH')).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Unpublish' }))
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ ids: ['workflow-1'], isPrivate: true }),
    )
  })

  it('shows a like at once without reloading the list', async () => {
    const { requests } = setup(me, workflow({ user: author, likeCount: 7 }), {
      'PUT /api/general/workflow-like/workflow-1': { body: { isLiked: true, likeCount: 12 } },
    })
    const heart = await waitFor(async () => (await card()).getByRole('button', { name: 'Favorite' }))
    await userEvent.click(heart)
    expect(await screen.findByText('12 likes')).toBeTruthy()
    expect(heart.getAttribute('aria-pressed')).toBe('true')
    expect(lists(requests)).toHaveLength(1)
  })

  it('rolls back a refused like, and says so', async () => {
    let answer: (value: { status: number; body: unknown }) => void = () => undefined
    const refusal = new Promise<{ status: number; body: unknown }>((resolve) => {
      answer = resolve
    })
    setup(me, workflow({ user: author, likeCount: 7 }), {
      'PUT /api/general/workflow-like/workflow-1': () => refusal,
    })
    await userEvent.click(await waitFor(async () => (await card()).getByRole('button', { name: 'Favorite' })))
    expect(await screen.findByText('8 likes')).toBeTruthy()
    answer({ status: 500, body: { code: 'INTERNAL', message: 'broken' } })
    expect(await screen.findByText('7 likes')).toBeTruthy()
    expect(await screen.findByText('The request failed. Please try again in a moment.')).toBeTruthy()
  })

  it('opens the login modal when a guest presses like', async () => {
    const { requests } = setup(null, workflow({ user: author }))
    await userEvent.click(await (await card()).findByRole('button', { name: 'Favorite' }))
    expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
    expect(requests.every(({ method }) => method === 'GET')).toBe(true)
  })

  it('asks before deleting, with the name, and removes the card', async () => {
    const { requests } = setup(me, workflow({ user: mine }), {
      ...plan(false),
      'DELETE /api/general/workflow/workflow-1': { status: 204 },
    })
    await waitFor(async () => expect((await card()).queryByRole('button', { name: 'Favorite' })).toBeNull())
    await menu()
    await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
    const question = await screen.findByRole('dialog', { name: 'Delete “Silk”?' })
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(false)
    await userEvent.click(within(question).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Silk' })).toBeNull())
    expect(screen.getByRole('link', { name: 'Other' })).toBeTruthy()
    expect(lists(requests)).toHaveLength(1)
  })

  it('offers unpublishing only to users who may', async () => {
    const { requests, unmount } = setup(me, workflow({ user: mine }), plan(false))
    await waitFor(async () => expect((await card()).queryByRole('button', { name: 'Favorite' })).toBeNull())
    await waitFor(() => expect(requests.some(({ path }) => path === '/api/auth/me/subscription')).toBe(true))
    expect(await menu()).toEqual([
      'Run',
      'Open in the editor',
      'Share',
      'Make a copy',
      'Download JSON',
      'Edit',
      'API',
      'Delete',
    ])
    unmount()
    setup(me, workflow({ user: mine }), plan(true))
    await (await card()).findByRole('button', { name: 'Actions for Silk' })
    await menu()
    expect(await screen.findByRole('menuitem', { name: 'Unpublish' })).toBeTruthy()
  })

  it('says what a changed plan lacks, and shows the post as public again', async () => {
    setup(me, workflow({ user: mine }), {
      ...plan(true),
      'PATCH /api/general/workflow/privates': { status: 403, body: { code: 'STEALTH_MODE_REQUIRED', message: 'no' } },
    })
    await waitFor(async () => expect((await card()).queryByRole('button', { name: 'Favorite' })).toBeNull())
    await menu()
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Unpublish' }))
    const question = await screen.findByRole('dialog', { name: 'Unpublish “Silk”?' })
    await userEvent.click(within(question).getByRole('button', { name: 'Unpublish' }))
    expect(await screen.findByText(/needs a plan with Stealth Mode/)).toBeTruthy()
    await waitFor(async () => expect((await card()).queryByText('Private')).toBeNull())
  })

  it('suggests a name for a copy and falls back to it', async () => {
    const { requests, router } = setup(me, workflow({ user: author }), {
      'POST /api/general/workflow/copy': { status: 201, body: workflow({ _id: 'copied' }) },
    })
    await waitFor(async () => expect((await card()).getByRole('button', { name: 'Favorite' })).toBeTruthy())
    await menu()
    await userEvent.click(screen.getByRole('menuitem', { name: 'Make a copy' }))
    const field = (await screen.findByLabelText('Project name')) as HTMLInputElement
    expect(field.value).toBe('Copy of Silk')
    await userEvent.clear(field)
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflows/copied'))
    expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
      workflow: 'workflow-1',
      name: 'Copy of Silk',
    })
    expect(await screen.findByText('Workflow copied successfully')).toBeTruthy()
  })

  it('is blurred while NSFW, until revealed or if the blur is off', async () => {
    setup(me, workflow({ user: author, isNsfw: true }))
    const veil = await screen.findByRole('button', { name: /Show anyway/ })
    await userEvent.click(veil)
    expect(screen.queryByRole('button', { name: /Show anyway/ })).toBeNull()
  })
})
