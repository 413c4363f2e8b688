import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import type { User } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import IntroPage from './intro-page'

function open(who: User | null) {
  stubApi({})
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, who)
  const page = (
    <LoginDialogProvider>
      <IntroPage />
    </LoginDialogProvider>
  )
  return renderApp(page, { client, path: '/intro' })
}

it('guests see the introduction with two ways to sign in', () => {
  open(null)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Node graphs, as simple as a form')
  expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(6)
  expect(screen.getByRole('button', { name: 'Create a free account' })).toBeTruthy()
})

it('signed-in users are redirected to the first page', async () => {
  const { router } = open(user())
  await waitFor(() => expect(router.state.location.pathname).toBe('/'))
})
