import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { Origin } from '@/shared/api/types'
import { picture, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { PictureOrigin } from './picture-origin'

const origin = (change: Partial<Origin> = {}): Origin => ({
  _id: 'picture-1',
  isTold: true,
  workflow: null,
  workflowApi: null,
  settings: [{ field: 'seed', title: 'Seed', widget: 'seed', value: 7, label: null }] as never,
  uploads: [],
  ...change,
})
const app = { _id: 'w-1', name: 'Silk', cover: null } as never

function setup(origin: Origin, own: boolean, handlers: Parameters<typeof stubApi>[0] = {}) {
  const requests = stubApi({
    'GET /api/auth': { body: user() },
    'GET /api/general/output-asset/picture-1/origin': { body: origin },
    ...handlers,
  })
  return { requests, ...renderApp(<PictureOrigin picture={picture()} own={own} />) }
}

describe('the origin of a picture', () => {
  it('shows app, settings and seed, with a link that fills the app', async () => {
    setup(origin({ workflow: app, workflowApi: 'app-1' }), false)
    expect(await screen.findByRole('link', { name: /Silk/ })).toBeTruthy()
    expect(screen.getByText('7')).toBeTruthy()
    const again = screen.getByRole('link', { name: 'Run again with these settings' })
    expect(again.getAttribute('href')).toBe('/easy-app/app-1?from=picture-1')
  })

  it("reruns one's own prompt unchanged and opens the new job", async () => {
    const { requests, router } = setup(origin(), true, {
      'POST /api/general/job/job-1/again': {
        status: 201,
        body: { _id: 'job-2', status: 'Pending', seeds: {}, nodeErrors: {} },
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Run this prompt again' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/jobs/job-2'))
    const sent = requests.find(({ method }) => method === 'POST')
    expect(sent?.headers.get('Idempotency-Key')).toBeTruthy()
  })

  it('says why it cannot be run again: a deleted app, a prompt of another user', async () => {
    const gone = setup(origin({ workflow: app }), true)
    expect(await screen.findByText('It cannot be run again: the app that made it is private or gone.')).toBeTruthy()
    gone.unmount()
    setup(origin(), false)
    expect(await screen.findByText('Only the author can run this prompt again.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Run this prompt again' })).toBeNull()
  })

  it('is hidden if its author hides it', async () => {
    setup(origin({ isTold: false, settings: [] }), false)
    expect(await screen.findByText('The author does not show how it was made.')).toBeTruthy()
  })
})
