import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { SimpleAppBindings } from './simple-app-bindings'

const APP = '0192f0c1-2b3c-4d4e-8f50-123456789abc'
const PUT = 'PUT /api/admin/simple-app/face-swap'
const NAME = 'Mini app for Face swap'

function setup(handlers: Parameters<typeof stubApi>[0] = {}) {
  let bound: string | null = null
  const requests = stubApi({
    'GET /api/admin/simple-app': () => ({
      body: {
        items: [
          { address: 'background-remover', workflowApi: null, configured: APP },
          { address: 'face-swap', workflowApi: bound, configured: null },
        ],
      },
    }),
    'GET /api/public/simple-app': () => ({
      body: {
        items: [
          {
            address: 'face-swap',
            state: bound ? 'Ready' : 'Unbound',
            workflow: bound,
            workflowApi: bound,
            name: bound && 'Swapper',
            nameKo: null,
            missing: [],
          },
        ],
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
  expect(screen.getByText('Chosen among the generators')).toBeTruthy()
  await userEvent.type(screen.getByLabelText(NAME), `https://example.org/easy-app/${APP.toUpperCase()}?run=1`)
  await press('Bind the app to Face swap')
  expect(await screen.findByText('Bound here')).toBeTruthy()
  const link = await screen.findByRole('link', { name: 'Swapper' })
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
