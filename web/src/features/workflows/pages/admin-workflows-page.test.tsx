import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import { user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import AdminWorkflowsPage from './admin-workflows-page'

it('shows admins the owners, searches by name, and filters by person', async () => {
  const ada = { _id: 'user-2', name: 'Ada', nameTag: null }
  const requests = stubApi({
    'GET /api/auth': { body: user({ roles: ['Customer', 'Admin'] }) },
    'GET /api/general/workflow/admin': {
      body: { items: [workflow({ name: 'Silk', user: { ...ada, profile: null } })], nextCursor: null },
    },
  })
  const asked = () => new URLSearchParams(requests.findLast(({ path }) => path.endsWith('/admin'))?.search)
  const { router } = renderApp(
    <LoginDialogProvider>
      <AdminWorkflowsPage />
    </LoginDialogProvider>,
    { path: '/admin/workflow-files' },
  )
  await userEvent.type(await screen.findByRole('searchbox', { name: 'Name of a workflow' }), 'sil{Enter}')
  await waitFor(() => expect(asked().get('q')).toBe('sil'))
  await userEvent.click(screen.getByRole('radio', { name: 'Unpublished' }))
  await waitFor(() => expect(asked().get('filter')).toBe('{"isPrivate":true}'))
  await userEvent.click(await screen.findByRole('link', { name: 'Ada' }))
  await waitFor(() => expect(asked().get('filter')).toBe('{"user":"user-2"}'))
  await userEvent.click(await screen.findByRole('button', { name: /not only of Ada/ }))
  await waitFor(() => expect(router.state.location.search).toBe(''))
})
