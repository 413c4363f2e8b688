import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import { picture, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import SearchPage from './search-page'

describe('search results', () => {
  it('include apps, pictures and people, and similar workflows if nothing matches', async () => {
    stubApi({
      'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
      'GET /api/public/workflow-tag': { body: { items: [] } },
      'GET /api/public/workflow': { body: { items: [], nextCursor: null } },
      'GET /api/public/search': {
        body: {
          workflows: [workflow({ name: 'Silk', workflowApi: 'app-1' })],
          pictures: [picture({ isPrivate: false, user: { _id: 'user-2', name: 'Bo', profile: null } })],
          people: [{ _id: 'user-3', name: 'Silke', profile: null }],
          nextSkip: null,
        },
      },
    })
    renderApp(<SearchPage />, { path: '/search?q=slik' })
    const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))
    await screen.findByRole('link', { name: 'Silk' })
    expect(links()).toEqual(['/easy-app/app-1', '/gallery/picture-1', '/profile/user-3'])
    await userEvent.click(screen.getByRole('radio', { name: 'People' }))
    await waitFor(() => expect(links()).toEqual(['/profile/user-3']))
    await userEvent.click(screen.getByRole('radio', { name: 'Apps and workflows' }))
    await waitFor(() => expect(links()).toEqual(['/easy-app/app-1']))
  })

  it('go on where a kind has more than one page', async () => {
    const people = (from: number) =>
      Array.from({ length: 24 }, (_, at) => ({ _id: `user-${from + at}`, name: `Silk ${from + at}`, profile: null }))
    const requests = stubApi({
      'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
      'GET /api/public/workflow-tag': { body: { items: [] } },
      'GET /api/public/workflow': { body: { items: [], nextCursor: null } },
      'GET /api/public/search': (request) => {
        const skip = Number(new URL(request.url).searchParams.get('skip'))
        const nextSkip = skip === 0 ? 24 : null
        return { body: { workflows: [], pictures: [], people: people(skip), nextSkip } }
      },
    })
    renderApp(<SearchPage />, { path: '/search?q=silk' })
    await userEvent.click(await screen.findByRole('button', { name: 'More: People' }))
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Search results' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Load more' }))
    await screen.findByRole('link', { name: 'Silk 47' })
    expect(screen.getAllByRole('link')).toHaveLength(48)
    const asked = requests.filter(({ path }) => path.endsWith('/search')).map(({ search }) => search)
    expect(new URLSearchParams(asked.at(-1)).get('skip')).toBe('24')
    expect(new URLSearchParams(asked.at(-1)).get('kind')).toBe('people')
  })

  it('offer no more of a kind that exactly fills its part', async () => {
    const people = Array.from({ length: 24 }, (_, at) => ({ _id: `user-${at}`, name: `Silk ${at}`, profile: null }))
    stubApi({
      'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
      'GET /api/public/workflow-tag': { body: { items: [] } },
      'GET /api/public/workflow': { body: { items: [], nextCursor: null } },
      'GET /api/public/search': { body: { workflows: [], pictures: [], people, nextSkip: null } },
    })
    renderApp(<SearchPage />, { path: '/search?q=silk' })
    await screen.findByRole('link', { name: 'Silk 23' })
    expect(screen.queryByRole('button', { name: /^More/ })).toBeNull()
  })

  it('have similar workflows below those that have the words', async () => {
    const exact = workflow({ _id: 'exact', name: 'Silk' })
    const similar = workflow({ _id: 'similar', name: 'Slik' })
    let found = [exact, similar]
    stubApi({
      'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
      'GET /api/public/workflow-tag': { body: { items: [] } },
      'GET /api/public/workflow': { body: { items: [exact], nextCursor: null } },
      'GET /api/public/search': () => ({ body: { workflows: found, pictures: [], people: [], nextSkip: null } }),
    })
    const path = '/search?q=silk&searchInputType=workflow'
    const part = (
      <LoginDialogProvider>
        <SearchPage />
      </LoginDialogProvider>
    )
    const view = renderApp(part, { path })
    const below = within(await screen.findByRole('region', { name: 'Similar apps and workflows' }))
    expect(await below.findByRole('link', { name: 'Slik' })).toBeTruthy()
    expect(below.getAllByRole('link')).toHaveLength(1)
    view.unmount()
    found = [exact]
    renderApp(part, { path })
    await screen.findByText('Silk')
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Similar apps and workflows' })).toBeNull())
  })
})
