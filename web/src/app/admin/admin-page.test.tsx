import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { matchRoutes, type RouteObject } from 'react-router'
import { expect, it } from 'vitest'
import { AdminOnly, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { routes } from '../router'
import { AdminLayout } from './admin-layout'
import AdminPage from './admin-page'

function open(who: User) {
  stubApi({ 'GET /api/admin/worker': { body: { items: [] } } })
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  return renderApp(
    <AdminOnly>
      <AdminPage />
    </AdminOnly>,
    { client, path: '/admin' },
  )
}

it('admins see links to all admin pages', () => {
  open(user({ roles: ['Customer', 'Admin'] }))
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(expect.arrayContaining(['/admin/moderation', '/admin/user/info', '/admin/audit']))
})

it('other users get a 404', () => {
  const { router } = open(user())
  expect(router.state.location.pathname).toBe('/not-found')
  expect(screen.queryByRole('link', { name: 'People' })).toBeNull()
})

it.each(['/admin', '/admin/easy-app/app-1'])('%s is an address of the site', (path) => {
  const found = matchRoutes(routes(createQueryClient()), path)
  expect(found?.at(-1)?.route.path).not.toBe('*')
})

type Found = { path: string; isGuarded: boolean }

function leaves(tree: RouteObject[], above = '', isGuarded = false): Found[] {
  return tree.flatMap((route) => {
    const path = [above, route.path].filter((part) => part).join('/')
    const guarded = isGuarded || route.Component === AdminLayout
    return route.children ? leaves(route.children, path, guarded) : [{ path, isGuarded: guarded }]
  })
}

it('every page below /admin is behind the admin guard, and no other page is', () => {
  const found = leaves(routes(createQueryClient()))
  expect(found.filter(({ path }) => /^admin(\/|$)/.test(path)).length).toBeGreaterThan(15)
  expect(found.filter(({ path, isGuarded }) => isGuarded !== /^admin(\/|$)/.test(path))).toEqual([])
})

it('the guard shows an error with a retry when the session cannot be loaded', async () => {
  let answers = 0
  stubApi({
    'GET /api/auth': () =>
      answers++ === 0
        ? { status: 503, body: { code: 'UNAVAILABLE', message: 'x' } }
        : { body: user({ roles: ['Customer', 'Admin'] }) },
    'GET /api/admin/worker': { body: { items: [] } },
  })
  const client = createQueryClient()
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } })
  const { router } = renderApp(
    <AdminOnly>
      <AdminPage />
    </AdminOnly>,
    { client, path: '/admin' },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Try Again' }))
  expect(await screen.findAllByRole('link')).not.toHaveLength(0)
  expect(router.state.location.pathname).toBe('/admin')
})
