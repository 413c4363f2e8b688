import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
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
})
