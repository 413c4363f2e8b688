import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactElement } from 'react'
import { describe, expect, it } from 'vitest'
import AccountPage from '@/features/account/pages/account-page'
import { LoginDialogProvider } from '@/features/auth'
import GalleryPage from '@/features/gallery/pages/gallery-page'
import JobsPage from '@/features/jobs/pages/jobs-page'
import AppsPage from '@/features/mini-apps/pages/apps-page'
import HistoryPage from '@/features/notifications/pages/history-page'
import AddressesPage from '@/features/people/pages/addresses-page'
import PeoplePage from '@/features/people/pages/people-page'
import VideosPage from '@/features/videos/pages/videos-page'
import WorkflowsPage from '@/features/workflows/pages/workflows-page'
import { chooseNsfw } from '@/shared/lib/nsfw'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'

const NONE = { body: { items: [], nextCursor: null } }
const REFUSED = { status: 404, body: { code: 'NOT_FOUND', message: 'no' } }
const press = (name: string) => async () => userEvent.click(await screen.findByText(name))
const search = (name: string, words: string) => async () =>
  userEvent.type(await screen.findByLabelText(name), `${words}{Enter}`)
const choose = (name: string, value: string) => async () =>
  userEvent.selectOptions(await screen.findByLabelText(name), value)

/** Page, action that changes its address, expected query parameters. */
const PAGES: [string, ReactElement, () => Promise<unknown>, [string, string | null]][] = [
  ['/gallery', <GalleryPage key="g" pathname="/gallery" />, press('Most liked'), ['sort', 'like']],
  ['/apps', <AppsPage key="a" />, press('Most liked'), ['sort', 'like']],
  ['/workflows', <WorkflowsPage key="w" />, choose('Order', 'like'), ['sort', 'like']],
  ['/account', <AccountPage key="c" />, press('API keys'), ['tab', 'keys']],
  ['/notification/history', <HistoryPage key="h" />, press('Comments'), ['type', 'COMMENT']],
  ['/jobs?batch=b-1', <JobsPage key="j" />, press('Done'), ['show', 'done']],
  ['/admin/ip-list', <AddressesPage key="i" />, search('IP address', '10.0.0.1'), ['address', '10.0.0.1']],
  ['/admin/user/info', <PeoplePage key="p" />, search('Name, e-mail or ID', 'mira'), ['keyword', 'mira']],
  ['/youtube-community?keyword=x', <VideosPage key="v" />, press('Show all videos'), ['keyword', null]],
]

describe('other query parameters', () => {
  it.each(PAGES)('are kept when something is chosen on %s', async (path, page, act, [key, value]) => {
    // Empty lists: only the addresses matter.
    stubApi(
      new Proxy({ 'GET /api/auth': { body: user({ roles: ['Customer', 'Admin'] }) } } as Record<string, object>, {
        get: (known, of: string) => known[of] ?? (of.includes('youtube') ? NONE : REFUSED),
      }),
    )
    const { router } = renderApp(<LoginDialogProvider>{page}</LoginDialogProvider>, {
      path: `${path}${path.includes('?') ? '&' : '?'}from=mail`,
    })
    await act()
    await waitFor(() => expect(new URLSearchParams(router.state.location.search).get(key)).toBe(value))
    expect(new URLSearchParams(router.state.location.search).get('from')).toBe('mail')
  })
})

describe('a list that the choice about sensitive content empties', () => {
  it.each([
    ['/gallery', <GalleryPage key="g" pathname="/gallery" />, 'Nothing is public yet'],
    ['/workflows', <WorkflowsPage key="w" />, 'No workflows yet'],
  ])('does not say that nothing exists: %s', async (path, page, words) => {
    stubApi(
      new Proxy({ 'GET /api/auth': { body: user() } } as Record<string, object>, {
        get: (known, of: string) => known[of] ?? NONE,
      }),
    )
    chooseNsfw('only')
    renderApp(<LoginDialogProvider>{page}</LoginDialogProvider>, { path })
    expect(await screen.findByText('Nothing found')).toBeTruthy()
    expect(screen.queryByText(words)).toBeNull()
  })
})
