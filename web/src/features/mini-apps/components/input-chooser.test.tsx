import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { asset, picture, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import InputChooser from './input-chooser'

const UPLOAD = 'POST /api/general/output-asset/picture-1/upload'
const APPS = { 'GET /api/public/mini-app': { body: { items: [workflow({ workflowApi: 'app-1' })], nextCursor: null } } }

it('a picture is passed to the chosen app', async () => {
  const requests = stubApi({ ...APPS, [UPLOAD]: { status: 201, body: asset({ _id: 'asset-9' }) } })
  const close = vi.fn()
  const { router } = renderApp(<InputChooser picture={picture()} onClose={close} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Silk' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/easy-app/app-1'))
  expect(router.state.location.state).toMatchObject({ image: { id: 'asset-9' } })
  expect(close).toHaveBeenCalledOnce()
  const list = requests.find(({ path }) => path === '/api/public/mini-app')
  expect(new URLSearchParams(list?.search).get('takes')).toBe('image')
})

it('a picture that cannot be copied shows an error, and the choice stays open', async () => {
  stubApi({ ...APPS, [UPLOAD]: { status: 403, body: { code: 'FORBIDDEN', message: 'hidden' } } })
  const close = vi.fn()
  renderApp(<InputChooser picture={picture()} onClose={close} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Silk' }))
  expect(await screen.findByText(/^The picture could not be used/)).toBeTruthy()
  expect(close).not.toHaveBeenCalled()
})
