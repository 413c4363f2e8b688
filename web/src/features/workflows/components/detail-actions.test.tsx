import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import { user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import { useWorkflowActions } from '../use-workflow-actions'
import { DetailActions } from './detail-actions'

const shown = workflow()

function Part() {
  return <DetailActions workflow={shown} actions={useWorkflowActions(shown)} />
}

function setup(plan: Parameters<typeof stubApi>[0][string], who = user()) {
  stubApi({ 'GET /api/auth': { body: who }, 'GET /api/auth/me/subscription': plan })
  renderApp(
    <LoginDialogProvider>
      <Part />
    </LoginDialogProvider>,
  )
}

describe('a workflow without a mini app', () => {
  it.each(['Run', 'Open in the editor'])('opens in the node editor by %s', async (name) => {
    stubApi({
      'GET /api/auth': { body: user({ _id: 'user-2' }) },
      'PATCH /api/public/workflow/workflow-1/launch': { status: 204 },
    })
    const { router } = renderApp(
      <LoginDialogProvider>
        <Part />
      </LoginDialogProvider>,
    )
    await userEvent.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/comfyui'))
    expect(router.state.location.search).toBe('?flow=workflow-1')
  })
})

const unpublish = () => screen.findByRole('button', { name: 'Unpublish' })
const STAYS = /Your plan cannot make it private again; you can delete it/

describe("the owner's actions on a published workflow", () => {
  it('include unpublishing on a plan with Stealth Mode', async () => {
    setup({ body: { name: 'Pro', stealthMode: true } })
    expect(await unpublish()).toBeTruthy()
    expect(screen.queryByText(STAYS)).toBeNull()
  })

  it('explain that the plan does not allow unpublishing', async () => {
    setup({ body: { name: 'Free', stealthMode: false } })
    expect(await screen.findByText(STAYS)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Unpublish' })).toBeNull()
  })

  it('retry a plan that could not be loaded', async () => {
    let broken = true
    setup(() => (broken ? { status: 500, body: { code: 'INTERNAL', message: 'no' } } : { body: { stealthMode: true } }))
    await screen.findByText('Your plan could not be loaded.')
    broken = false
    await userEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    expect(await unpublish()).toBeTruthy()
  })

  it('do not depend on the plan for admins', async () => {
    setup({ status: 500 }, user({ _id: 'boss', roles: ['Customer', 'Admin'] }))
    expect(await unpublish()).toBeTruthy()
  })
})
