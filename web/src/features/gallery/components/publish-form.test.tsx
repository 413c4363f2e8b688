import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { showLanguage } from '@/shared/i18n'
import { picture, user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import PublishForm from './publish-form'

const plan = (stealthMode: boolean) => ({
  'GET /api/auth': { body: user() },
  'GET /api/auth/me/subscription': { body: { name: stealthMode ? 'Pro' : 'Free', stealthMode } },
  'PATCH /api/general/output-asset/privates': { body: { items: [picture({ isPrivate: false, showsOrigin: false })] } },
})

beforeEach(async () => {
  await showLanguage('en')
})

describe('the question before publishing', () => {
  it('says what cannot be undone, and sends the choice about the origin', async () => {
    const requests = stubApi(plan(false))
    const done = vi.fn()
    renderApp(<PublishForm pictures={[picture()]} onDone={done} onClose={() => undefined} />)
    expect(await screen.findByText(/On the Free plan you cannot make it private again/)).toBeTruthy()
    await userEvent.click(screen.getByRole('switch', { name: 'Show how it was made' }))
    await userEvent.click(screen.getByRole('button', { name: 'Publish' }))
    await vi.waitFor(() => expect(done).toHaveBeenCalled())
    const sent = requests.find((one) => one.method === 'PATCH')
    expect(sent?.body).toEqual({ ids: ['picture-1'], isPrivate: false, showsOrigin: false })
  })

  it('says how to undo it if the plan allows that', async () => {
    stubApi(plan(true))
    renderApp(<PublishForm pictures={[picture()]} onDone={undefined} onClose={() => undefined} />)
    expect(await screen.findByText(/You can make it private again at any time/)).toBeTruthy()
    expect(screen.queryByText(/cannot make it private/)).toBeNull()
  })

  it('retries a plan that could not be loaded, and publishes nothing until then', async () => {
    let broken = true
    stubApi({
      ...plan(false),
      'GET /api/auth/me/subscription': () =>
        broken
          ? { status: 500, body: { code: 'INTERNAL', message: 'broken' } }
          : { body: { name: 'Free', stealthMode: false } },
    })
    renderApp(<PublishForm pictures={[picture()]} onDone={undefined} onClose={() => undefined} />)
    expect(await screen.findByText('Your plan could not be loaded.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', true)
    broken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await screen.findByText(/On the Free plan you cannot make it private again/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', false)
  })
})
