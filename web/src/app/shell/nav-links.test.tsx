import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { announcementsQuery } from './announcements'
import { NavLinks } from './nav-links'

const news = (ids: string[]) => ({
  items: ids.map((_id) => ({
    _id,
    from: '2026-01-01T00:00:00Z',
    opens: false,
    title: { en: 'News', ko: '소식' },
    text: { en: 'Text', ko: '글' },
  })),
  workflowAlert: { workflows: [], title: { en: '', ko: '' }, text: { en: '', ko: '' } },
})

const DESK = 'https://desk.example/verdigraph'
const operator = (supportDesk: string | null) => ({
  'GET /api/public/operator': {
    body: { name: 'V', email: null, termsVersion: '2026-01-01', outputDays: 30, hasChat: false, supportDesk },
  },
})

function show(who: User | null, path = '/', desk: string | null = null) {
  const requests = stubApi(operator(desk))
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  client.setQueryData(announcementsQuery().queryKey, news(['a']))
  const view = renderApp(
    <LoginDialogProvider>
      <NavLinks />
    </LoginDialogProvider>,
    { client, path },
  )
  return { ...view, requests }
}

describe('the side navigation', () => {
  it('opens the login modal for guests on items that need an account', async () => {
    const { router } = show(null)
    await userEvent.click(screen.getByRole('button', { name: 'My jobs' }))
    expect(await screen.findByRole('dialog')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/')
    expect(sessionStorage.getItem('vg.redirect')).toBe('/jobs')
  })

  it('opens the same items for signed-in users', async () => {
    const { router } = show(user())
    await userEvent.click(screen.getByRole('link', { name: 'My jobs' }))
    expect(router.state.location.pathname).toBe('/jobs')
  })

  it('shows the admin navigation below /admin to admins only', async () => {
    const { unmount } = show(user({ roles: ['Customer', 'Admin'] }), '/admin/gallery')
    expect(await screen.findByRole('link', { name: 'Back to the site' })).toBeTruthy()
    unmount()
    show(user(), '/admin/gallery')
    expect(screen.queryByRole('link', { name: 'Back to the site' })).toBeNull()
  })

  it('links admins to the support desk if it is configured', async () => {
    const admin = user({ roles: ['Customer', 'Admin'] })
    const without = show(admin, '/admin/gallery')
    await expect.poll(() => without.requests.length).toBe(1)
    expect(screen.queryByText('Operation')).toBeNull()
    without.unmount()
    const view = show(admin, '/admin/gallery', DESK)
    const desk = await screen.findByRole('link', { name: 'Support desk' })
    expect([desk.getAttribute('href'), desk.getAttribute('rel')]).toEqual([DESK, 'noopener noreferrer'])
    view.unmount()
    expect(show(admin, '/', DESK).requests).toEqual([])
  })

  it('counts announcements that this browser has not shown', () => {
    show(null)
    expect(screen.getByText('1 unread')).toBeTruthy()
  })
})
