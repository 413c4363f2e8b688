import { screen } from '@testing-library/react'
import { matchRoutes } from 'react-router'
import { expect, it } from 'vitest'
import { userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { routes } from '../router'
import AdminPage from './admin-page'

function open(who: User) {
  stubApi({ 'GET /api/admin/worker': { body: { items: [] } } })
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  renderApp(<AdminPage />, { client, path: '/admin' })
}

it('admins begin with everything that they look after', () => {
  open(user({ roles: ['Customer', 'Admin'] }))
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links).toEqual(expect.arrayContaining(['/admin/moderation', '/admin/user/info', '/admin/audit']))
})

it('others find nothing there', () => {
  open(user())
  expect(screen.getByText('This page does not exist')).toBeTruthy()
})

it.each(['/admin', '/admin/easy-app/app-1'])('%s is an address of the site', (path) => {
  const found = matchRoutes(routes(createQueryClient()), path)
  expect(found?.at(-1)?.route.path).not.toBe('*')
})
