import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { LoginDialogProvider, userQuery } from '@/features/auth'
import { createQueryClient } from '@/shared/api/query-client'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { closeModals, openModal } from '@/shared/ui/modals'
import { announcementsQuery } from './announcements'
import { ModalHost } from './modal-host'

function show() {
  stubApi({})
  const client = createQueryClient()
  client.setQueryData(userQuery().queryKey, null)
  const workflowAlert = { workflows: [], title: { en: '', ko: '' }, text: { en: '', ko: '' } }
  client.setQueryData(announcementsQuery().queryKey, { items: [], workflowAlert })
  const view = renderApp(
    <LoginDialogProvider>
      <ModalHost />
    </LoginDialogProvider>,
    { client },
  )
  act(() => openModal('noCredit', {}))
  return view
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'You are out of credits' }))

afterEach(() => act(closeModals))

describe('the prompt of a user without credits', () => {
  it('leads to the plans, and closes', async () => {
    const { router } = show()
    await userEvent.click(await (await dialog()).findByRole('link', { name: 'See plans' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/pricing'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is dismissed until later', async () => {
    const { router } = show()
    await userEvent.click(await (await dialog()).findByRole('button', { name: 'Later' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(router.state.location.pathname).toBe('/')
  })
})
