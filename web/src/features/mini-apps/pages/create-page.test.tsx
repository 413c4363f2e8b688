import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { suggestions, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import CreatePage from './create-page'

it.each(['image', 'video'])('the page of %s apps requests nothing else', async (kind) => {
  const requests = stubApi({
    'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/public/mini-app': { body: { items: [workflow({ workflowApi: 'app-1' })], nextCursor: null } },
    'GET /api/public/mini-app/suggest': { body: suggestions() },
    'GET /api/public/generator': { body: { items: [] } },
    'GET /api/public/simple-app': { body: { items: [] } },
  })
  renderApp(<CreatePage />, { path: `/create/${kind}` })
  expect((await screen.findAllByText('Silk')).length).toBeGreaterThan(0)
  const asked = requests.filter(({ path }) => path === '/api/public/mini-app')
  expect(asked.map(({ search }) => new URLSearchParams(search).get('makes'))).toEqual([kind])
})

it('says without an app for videos what an operator connects', async () => {
  stubApi({
    'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/public/mini-app': { body: { items: [], nextCursor: null } },
    'GET /api/public/generator': { body: { items: [] } },
  })
  renderApp(<CreatePage />, { path: '/create/video' })
  expect(await screen.findByText('No video app yet')).toBeTruthy()
  expect(screen.getByText(/an operator connects a ComfyUI server with a video model/)).toBeTruthy()
})
