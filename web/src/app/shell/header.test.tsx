import { readFileSync } from 'node:fs'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { Header } from './header'

function open(who: User | null) {
  stubApi({ 'GET /api/general/notification/unread': { body: { count: 0 } } })
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  return renderApp(
    <LoginDialogProvider>
      <Header onMenu={() => undefined} />
    </LoginDialogProvider>,
    { client },
  )
}

it('"Get started" is for guests alone', () => {
  const { unmount } = open(null)
  expect(screen.getByRole('button', { name: 'Get started' })).toBeTruthy()
  unmount()
  open(user())
  expect(screen.queryByText('Get started')).toBeNull()
  expect(screen.getByRole('link', { name: 'Create' })).toBeTruthy()
})

it('narrow windows have a link to the search of phones', () => {
  open(null)
  const search = screen.getByRole('link', { name: 'Search apps, pictures, people' })
  expect(search.getAttribute('href')).toMatch(/^\/mobile-search/)
})

it('credits stand on one line on the narrowest phones, and say in words what the number is', () => {
  open(user())
  expect(screen.getByText('6000 credits available')).toBeTruthy()
  const css = readFileSync('src/app/shell/shell.module.css', 'utf8')
  const rule = /\.credits \{[^}]*\}/.exec(css)?.[0] ?? ''
  expect(rule).toContain('white-space: nowrap')
  expect(rule, 'it is pressed together where the header is full').toContain('flex: none')
})

it('credits that are reserved for jobs are said beside those that are left', () => {
  open(user({ credits: { available: 297, held: 4800 } }))
  expect(screen.getByText('297 credits available, up to 4,800 reserved for jobs')).toBeTruthy()
  expect(screen.getByTitle('up to 4,800 reserved for jobs')).toBeTruthy()
})
