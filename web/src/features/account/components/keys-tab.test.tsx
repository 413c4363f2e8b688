import { readFileSync } from 'node:fs'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { signedAmount } from '../model'
import KeysTab from './keys-tab'

const key = {
  _id: 'key-1',
  name: 'render script',
  prefix: 'vg_a1',
  createdAt: '2026-11-20T08:00:00Z',
  lastUsedAt: null,
  revokedAt: null,
}
const LIST = 'GET /api/general/api-key'

describe('API keys', () => {
  it('shows a new key once, in a dialog', async () => {
    stubApi({
      [LIST]: { body: { items: [] } },
      'POST /api/general/api-key': { status: 201, body: { ...key, key: 'vg_secret' } },
    })
    renderApp(<KeysTab />)
    await userEvent.type(screen.getByLabelText('Name of the key'), 'render script')
    await userEvent.click(screen.getByRole('button', { name: 'Create key' }))
    expect(await screen.findByText('vg_secret')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'I have copied it' }))
    await waitFor(() => expect(screen.queryByText('vg_secret')).toBeNull())
  })

  it('limits the name to the length that the server accepts', async () => {
    stubApi({ [LIST]: { body: { items: [] } } })
    renderApp(<KeysTab />)
    const name = screen.getByLabelText('Name of the key') as HTMLInputElement
    await userEvent.type(name, 'x'.repeat(60))
    const { schemas } = JSON.parse(readFileSync('../http/openapi.json', 'utf8')).components
    expect(name.value).toHaveLength(schemas.NewApiKeyBody.properties.name.maxLength)
  })

  it('shows assistants how to connect, with a configuration that is JSON', () => {
    stubApi({ [LIST]: { body: { items: [] } } })
    renderApp(<KeysTab />)
    const section = screen.getByRole('region', { name: 'Assistants' })
    const address = `${window.location.origin}/mcp`
    expect(within(section).getByText(address)).toBeTruthy()
    const { verdigraph } = JSON.parse(section.querySelector('pre')?.textContent ?? '').mcpServers
    expect(verdigraph).toEqual({ type: 'http', url: address, headers: { Authorization: 'Bearer vg_…' } })
  })

  it('lead to the documentation of the API', () => {
    stubApi({ [LIST]: { body: { items: [] } } })
    renderApp(<KeysTab />)
    const link = screen.getByRole('link', { name: 'Read the API documentation' })
    expect(link.getAttribute('href')).toBe('/api/docs')
  })

  it('needs a name to create a key', async () => {
    const requests = stubApi({ [LIST]: { body: { items: [] } } })
    renderApp(<KeysTab />)
    await userEvent.click(screen.getByRole('button', { name: 'Create key' }))
    expect((await screen.findByRole('alert')).textContent).toBe('Give the key a name')
    expect(requests.some((request) => request.method === 'POST')).toBe(false)
  })

  it('revokes a key only after its name was confirmed', async () => {
    const requests = stubApi({
      [LIST]: { body: { items: [key] } },
      'DELETE /api/general/api-key/key-1': { status: 204 },
    })
    renderApp(<KeysTab />)
    await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }))
    const dialog = await screen.findByRole('dialog', { name: 'Revoke the key “render script”?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    expect(requests.some((request) => request.method === 'DELETE')).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: 'Revoke' }))
    const again = await screen.findByRole('dialog', { name: 'Revoke the key “render script”?' })
    await userEvent.click(within(again).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(requests.some((request) => request.method === 'DELETE')).toBe(true))
  })
})

it('signs an entry by whether it gives or takes credits', () => {
  expect(signedAmount({ kind: 'Grant', amount: 6000 }, 'en')).toBe('+6,000')
  expect(signedAmount({ kind: 'Hold', amount: 60 }, 'en')).toBe('−60')
  expect(signedAmount({ kind: 'Release', amount: 48 }, 'en')).toBe('+48')
  expect(signedAmount({ kind: 'Capture', amount: 12 }, 'en')).toBe('−12')
})
