import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { RequestedList } from './requested-list'

const LIST = 'GET /api/admin/requirement-request'
const CLOSE = 'DELETE /api/admin/requirement-request/r-1'
const REQUESTED = {
  _id: 'r-1',
  kind: 'Model',
  folder: 'loras',
  name: 'a.safetensors',
  requests: 3,
  firstAt: '2026-11-01T00:00:00Z',
  lastAt: new Date().toISOString(),
  pools: ['pro'],
}

describe('requested nodes and models', () => {
  it('show how many users want them and which pools have them by now', async () => {
    stubApi({ [LIST]: { body: { items: [REQUESTED] } } })
    renderApp(<RequestedList />)
    expect(await screen.findByText('a.safetensors')).toBeTruthy()
    expect(screen.getByText(/Folder: loras · 3 users · last request .* · Now in the pools: pro/)).toBeTruthy()
  })

  it('are closed after a question', async () => {
    let items = [REQUESTED]
    const requests = stubApi({
      [LIST]: () => ({ body: { items } }),
      [CLOSE]: () => {
        items = []
        return { status: 204 }
      },
    })
    renderApp(<RequestedList />)
    await userEvent.click(await screen.findByRole('button', { name: 'Close the requests for a.safetensors' }))
    expect(screen.getByText('The requests of 3 users are deleted. They can be sent again.')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Close requests' }))
    expect(await screen.findByText('No requests')).toBeTruthy()
    await waitFor(() => expect(requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1))
  })
})
