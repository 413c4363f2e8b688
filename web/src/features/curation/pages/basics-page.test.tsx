import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import BasicsPage from './basics-page'

const silk = workflow({ _id: 'w-1', name: 'Silk', isBasic: true })
const clay = workflow({ _id: 'w-2', name: 'Clay', isBasic: true, isPrivate: true })
const moss = workflow({ _id: 'w-3', name: 'Moss' })
const LIST = 'GET /api/admin/basic-workflow'
const FOUND = 'GET /api/public/workflow'

function show(handlers: Parameters<typeof stubApi>[0] = {}) {
  const requests = stubApi({
    'GET /api/auth': { body: user({ roles: ['Customer', 'Admin'] }) },
    [LIST]: { body: { items: [silk, clay] } },
    [FOUND]: { body: { items: [silk, moss], nextCursor: null } },
    ...handlers,
  })
  renderApp(<BasicsPage />)
  return requests
}

describe('the admin page of basic workflows', () => {
  it('keeps their order and marks private ones', async () => {
    show()
    const list = within(await screen.findByRole('list', { name: 'Chosen' }))
    const names = (await list.findAllByRole('link')).map((link) => link.textContent)
    expect(names).toEqual(['Silk', 'Clay'])
    expect(list.getByText('Hidden by its author')).toBeTruthy()
    expect(list.getByRole('link', { name: 'Silk' }).getAttribute('href')).toBe('/admin/workflows/w-1')
  })

  it('finds workflows by keyword and offers each once', async () => {
    const requests = show({ 'PATCH /api/general/workflow/w-3': { body: { ...moss, isBasic: true } } })
    await userEvent.type(await screen.findByLabelText('Search published workflows'), 'mo{Enter}')
    await waitFor(() =>
      expect(requests.some(({ path, search }) => path === '/api/public/workflow' && search.includes('q=mo'))).toBe(
        true,
      ),
    )
    const chosen = await screen.findByRole('button', { name: 'Silk is chosen' })
    expect((chosen as HTMLButtonElement).disabled).toBe(true)
    await userEvent.click(await screen.findByRole('button', { name: 'Add Moss' }))
    expect(await screen.findByText('Added: Moss')).toBeTruthy()
    expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ isBasic: true })
    await waitFor(() =>
      expect(requests.filter(({ path }) => path === '/api/admin/basic-workflow').length).toBeGreaterThan(1),
    )
  })

  it('removes one after a confirmation', async () => {
    const requests = show({ 'PATCH /api/general/workflow/w-1': { body: { ...silk, isBasic: false } } })
    await userEvent.click(await screen.findByRole('button', { name: 'Remove Silk' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Remove “Silk” from the basic workflows?' }))
    expect(requests.some(({ method }) => method === 'PATCH')).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: 'Remove' }))
    await waitFor(() => expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({ isBasic: false }))
  })

  it('shows the next step if there are none', async () => {
    show({ [LIST]: { body: { items: [] } }, [FOUND]: { body: { items: [], nextCursor: null } } })
    expect(await screen.findByText('Find a published workflow and add it.')).toBeTruthy()
    expect(await screen.findByText('Nothing found')).toBeTruthy()
  })
})
