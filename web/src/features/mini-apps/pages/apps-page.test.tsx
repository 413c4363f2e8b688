import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { User } from '@/shared/api/types'
import { user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AppsPage from './apps-page'

const LIST = 'GET /api/public/mini-app'
const SHARED = 'GET /api/general/workflow-api-shared'
const share = {
  _id: 'share-1',
  createdAt: '2026-11-20T08:00:00Z',
  owner: { _id: 'user-2', name: 'Otto' },
  workflowApi: { _id: 'app-9', name: 'Harbour' },
}
const silk = workflow({ _id: 'a', name: 'Silk', workflowApi: 'app-1', workflowApiWorks: false })
const boats = workflow({ _id: 'b', name: 'Boats', workflowApi: 'app-2', workflowApiWorks: true })
const clouds = workflow({ _id: 'c', name: 'Clouds', workflowApi: 'app-3', workflowApiWorks: null })
const page = (...items: unknown[]) => ({ body: { items, nextCursor: null } })

function setup(who: User | null, handlers: Parameters<typeof stubApi>[0] = {}, path = '/apps') {
  const requests = stubApi({
    'GET /api/auth': who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    [LIST]: page(silk, boats, clouds),
    [SHARED]: page(share),
    ...handlers,
  })
  const part = (
    <LoginDialogProvider>
      <AppsPage />
    </LoginDialogProvider>
  )
  return { requests, ...renderApp(part, { path }) }
}
const card = async (name: string) => within((await screen.findByText(name)).closest('article') as HTMLElement)

describe('the page of all apps', () => {
  it('marks apps that no worker can run, but not those of unknown state', async () => {
    setup(null)
    expect((await card('Silk')).getByText('Not working now')).toBeTruthy()
    expect((await card('Boats')).queryByText('Not working now')).toBeNull()
    expect((await card('Clouds')).queryByText('Not working now')).toBeNull()
    expect(screen.queryByRole('tab'), 'a guest has nothing that is shared with them').toBeNull()
  })

  it('hides apps that do not work, keeps that in the address, and says when none is left', async () => {
    const answer = (request: Request) => (request.url.includes('works=true') ? page() : page(silk))
    const { router } = setup(null, { [LIST]: answer }, '/apps?sort=like')
    await userEvent.click(await screen.findByRole('switch', { name: 'Works today' }))
    expect(router.state.location.search).toBe('?sort=like&works=true')
    expect(await screen.findByText('No app works at the moment')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Show all apps' }))
    expect(await screen.findByText('Silk')).toBeTruthy()
    expect(router.state.location.search).toBe('?sort=like')
  })

  it('reads its filters from the address', async () => {
    const { requests } = setup(null, {}, '/apps?works=true&sort=view')
    await screen.findByText('Silk')
    const asked = new URLSearchParams(requests.find(({ path }) => path.endsWith('mini-app'))?.search)
    expect([asked.get('works'), asked.get('sort')]).toEqual(['true', 'view'])
  })

  it('shows shared apps with their owner, and removes one from the list', async () => {
    let shared = [share]
    const leave = 'DELETE /api/general/workflow-api-shared/share-1'
    const { requests, router } = setup(user(), {
      [SHARED]: () => page(...shared),
      [leave]: () => {
        shared = []
        return { status: 204 }
      },
    })
    await userEvent.click(await screen.findByRole('tab', { name: 'Shared with me' }))
    expect(router.state.location.search).toBe('?tab=shared')
    const link = await screen.findByRole('link', { name: 'Harbour' })
    expect(link.getAttribute('href')).toBe('/easy-app/app-9')
    expect(screen.getByRole('link', { name: 'Shared by Otto' }).getAttribute('href')).toBe('/profile/user-2')
    expect(screen.queryByRole('switch'), 'the choices are those of the other list').toBeNull()

    await userEvent.click(screen.getByRole('button', { name: 'Remove Harbour from my list' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/until Otto shares it with you again/)).toBeTruthy()
    await userEvent.click(dialog.getByRole('button', { name: 'Remove from my list' }))
    await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true))
    expect(await screen.findByText('No apps are shared with you')).toBeTruthy()
  })

  it('keeps a shared app that could not be removed, and says so', async () => {
    const leave = 'DELETE /api/general/workflow-api-shared/share-1'
    const refused = { status: 500, body: { code: 'INTERNAL', message: 'broken' } }
    setup(user(), { [leave]: refused }, '/apps?tab=shared')
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Harbour from my list' }))
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Remove from my list' }))
    expect(await screen.findByText('Harbour could not be removed.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Harbour' })).toBeTruthy()
  })

  it('asks guests to sign in for shared apps', async () => {
    const { requests } = setup(null, {}, '/apps?tab=shared')
    expect(await screen.findByText('Sign in to see what is shared with you')).toBeTruthy()
    expect(requests.some(({ path }) => path.endsWith('shared'))).toBe(false)
  })
})
