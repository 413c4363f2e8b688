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

it('"Get started" is shown to guests only', () => {
  const { unmount } = open(null)
  expect(screen.getByRole('button', { name: 'Get started' })).toBeTruthy()
  unmount()
  open(user())
  expect(screen.queryByText('Get started')).toBeNull()
  expect(screen.getByRole('link', { name: 'Create' })).toBeTruthy()
})

it('narrow windows link to the search page', () => {
  open(null)
  const search = screen.getByRole('link', { name: 'Search apps, pictures, people' })
  expect(search.getAttribute('href')).toMatch(/^\/mobile-search/)
})

it('credits fit one line on the narrowest phones and have an accessible label', () => {
  open(user())
  expect(screen.getByText('6000 credits available')).toBeTruthy()
  const css = readFileSync('src/app/shell/shell.module.css', 'utf8')
  const rule = /\.credits \{[^}]*\}/.exec(css)?.[0] ?? ''
  expect(rule).toContain('white-space: nowrap')
  expect(rule, 'it is pressed together where the header is full').toContain('flex: none')
})

it('reserved credits are shown beside the balance', () => {
  open(user({ credits: { available: 297, held: 4800 } }))
  expect(screen.getByText('297 credits available, up to 4,800 reserved for jobs')).toBeTruthy()
  expect(screen.getByTitle('up to 4,800 reserved for jobs')).toBeTruthy()
})
