import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { picture, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import MobileSearchPage from './mobile-search-page'

const found = {
  workflows: [workflow({ name: 'Silk', workflowApi: 'app-1' })],
  pictures: [picture({ isPrivate: false, user: { _id: 'user-2', name: 'Bo', profile: null } })],
  people: [{ _id: 'user-3', name: 'Silke', profile: null }],
}

function setup(path = '/mobile-search?searchInputType=all') {
  const requests = stubApi({
    'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/public/workflow-tag': { body: { items: [] } },
    'GET /api/public/search': { body: found },
  })
  return { requests, ...renderApp(<MobileSearchPage />, { path }) }
}
const write = async (words: string) => userEvent.type(await screen.findByRole('searchbox'), words)
const links = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))

describe('the search on phones', () => {
  it('finds apps, pictures and people while typing, and filters by kind', async () => {
    const { requests, router } = setup('/mobile-search?searchInputType=all&from=menu')
    await write('silk')
    await screen.findByRole('link', { name: 'Silk' })
    expect(new URLSearchParams(requests.find(({ path }) => path.endsWith('/search'))?.search).get('q')).toBe('silk')
    expect(links()).toEqual(['/easy-app/app-1', '/gallery/picture-1', '/profile/user-3'])
    await userEvent.click(screen.getByRole('radio', { name: 'People' }))
    await waitFor(() => expect(links()).toEqual(['/profile/user-3']))
    expect(router.state.location.search).toBe('?searchInputType=people&from=menu')
  })

  it.each([
    ['workflow', '/easy-app/app-1'],
    ['picture', '/gallery/picture-1'],
    ['people', '/profile/user-3'],
  ])('starts with the kind in the address: %s', async (kind, link) => {
    setup(`/mobile-search?searchInputType=${kind}`)
    await write('silk')
    await waitFor(() => expect(links()).toEqual([link]))
  })
})
