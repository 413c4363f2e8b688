import { screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { MiniAppCard } from '@/shared/api/types'
import { suggestions, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import HomePage from './home-page'

afterEach(() => localStorage.clear())

const film = (change: Partial<MiniAppCard>) =>
  workflow({ name: 'Waves', workflowApi: 'app-1', makes: ['video'], workflowApiWorks: true, ...change })

it.each<[string, Partial<MiniAppCard>, boolean, string]>([
  ['a working app for videos', {}, false, 'Pictures and videos from node graphs, without the graph.'],
  ['an app whose worker is gone', { workflowApiWorks: false }, false, 'Pictures from node graphs, without the graph.'],
  ['apps for pictures only', { makes: ['image'] }, false, 'Pictures from node graphs, without the graph.'],
  ['an app that draws words', { makes: ['image'] }, true, 'Pictures from node graphs, one sentence away.'],
])('the headline follows from %s', async (_case, change, drawsWords, headline) => {
  const app = film(change)
  stubApi({
    'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/public/mini-app': { body: { items: [app], nextCursor: null } },
    'GET /api/public/mini-app/suggest': {
      body: suggestions({ fitting: drawsWords ? [{ app, words: [], drawsWords }] : [] }),
    },
    'GET /api/public/generator': { body: { items: [] } },
    'GET /api/public/simple-app': { body: { items: [] } },
    'GET /api/public/output-asset': { body: { items: [], nextCursor: null } },
  })
  renderApp(<HomePage />)
  await screen.findAllByText('Waves')
  expect(await screen.findByRole('heading', { level: 1, name: headline })).toBeTruthy()
})
