import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { SimpleAppBindings } from './simple-app-bindings'

const APP = '0192f0c1-2b3c-4d4e-8f50-123456789abc'
const OTHER = '0192f0c1-2b3c-4d4e-8f50-123456789abd'
const PUT = 'PUT /api/admin/simple-app/face-swap'
const NAME = 'Mini app for Face swap'

const app = (address: string, state: string, id: string | null) => ({
  address,
  state,
  workflow: id,
  workflowApi: id,
  name: id && `App of ${address}`,
  nameKo: null,
  missing: [],
})

function setup(handlers: Parameters<typeof stubApi>[0] = {}) {
  let bound: string | null = null
  const requests = stubApi({
    'GET /api/admin/simple-app': () => ({
      body: {
        items: [
          { address: 'background-remover', workflowApi: null, configured: APP },
          { address: 'face-swap', workflowApi: bound, configured: null },
          { address: 'image-to-prompt', workflowApi: null, configured: null },
        ],
      },
    }),
    'GET /api/public/simple-app': () => ({
      body: {
        items: [app('face-swap', bound ? 'Ready' : 'Unbound', bound), app('image-to-prompt', 'Waiting', OTHER)],
      },
    }),
    [PUT]: () => {
      bound = APP
      return { status: 204 }
    },
    'DELETE /api/admin/simple-app/face-swap': () => {
      bound = null
      return { status: 204 }
    },
    ...handlers,
  })
  renderApp(<SimpleAppBindings />)
  return requests
}
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

it('binds the app of a pasted address, and unbinds it', async () => {
  const requests = setup()
  expect(await screen.findByText('Bound in the configuration')).toBeTruthy()
  const row = (name: string) => within(screen.getByRole('heading', { name }).closest('li') as HTMLElement)
  expect(await row('Image to prompt').findByText('Chosen among the generators')).toBeTruthy()
  expect(row('Face swap').getByText('No app')).toBeTruthy()
  expect(row('Face swap').queryByText('Chosen among the generators')).toBeNull()
  await userEvent.type(screen.getByLabelText(NAME), `https://example.org/easy-app/${APP.toUpperCase()}?run=1`)
  await press('Bind the app to Face swap')
  expect(await screen.findByText('Bound here')).toBeTruthy()
  const link = await screen.findByRole('link', { name: 'App of face-swap' })
  expect(link.getAttribute('href')).toBe(`/easy-app/${APP}`)
  expect(screen.getByText('Ready')).toBeTruthy()
  await press('Unbind the app of Face swap')
  await waitFor(() => expect(screen.queryByText('Bound here')).toBeNull())
  const writes = requests.filter(({ method }) => method !== 'GET')
  expect(writes.map(({ method, body }) => [method, body])).toEqual([
    ['PUT', { workflowApi: APP }],
    ['DELETE', undefined],
  ])
})

it('asks for an address before it sends anything', async () => {
  const requests = setup()
  await userEvent.type(await screen.findByLabelText(NAME), 'my app')
  await press('Bind the app to Face swap')
  expect(await screen.findByText(/^Enter the address of a mini app/)).toBeTruthy()
  expect(requests.some(({ method }) => method === 'PUT')).toBe(false)
})

it('keeps the address of an app that the server refuses, and says why', async () => {
  setup({ [PUT]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'must take a picture' } } })
  await userEvent.type(await screen.findByLabelText(NAME), APP)
  await press('Bind the app to Face swap')
  expect(await screen.findByText(/must take a picture/)).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(NAME).value).toBe(APP)
})
