import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { editor, findText, press, saved, sent, setup } from '../testing'

describe('sharing', () => {
  const add = async (email: string) => {
    const field = await screen.findByRole('textbox', { name: 'E-mail' })
    await userEvent.clear(field)
    if (email) await userEvent.type(field, email)
    await press('Share')
  }

  it('needs a saved API', async () => {
    setup(editor(), {}, '?tab=share')
    expect(await screen.findByText('Create (save) the API first')).toBeTruthy()
    expect(screen.queryByRole('textbox', { name: 'E-mail' })).toBeNull()
  })

  it('accepts an e-mail address, and shows the reason of a refusal', async () => {
    const { requests } = setup(
      editor({ saved: saved() }),
      { 'POST /api/general/workflow-api-shared': { status: 404, body: { code: 'SHARE_USER_UNKNOWN', message: 'no' } } },
      '?tab=share',
    )
    await add('')
    expect(await screen.findByText('Enter an email')).toBeTruthy()
    await add('no-address')
    expect(await screen.findByText('Enter a valid email')).toBeTruthy()
    expect(sent(requests, 'POST', '/api/general/workflow-api-shared')).toEqual([])
    await add('no@example.com')
    expect(await screen.findAllByText('No account uses this e-mail.')).not.toHaveLength(0)
    expect(sent(requests, 'POST', '/api/general/workflow-api-shared')[0]?.body).toEqual({
      workflowApiId: 'api-1',
      userEmail: 'no@example.com',
    })
  })

  it('ends after a confirmation', async () => {
    let items = [
      {
        _id: 's-1',
        createdAt: '2026-11-20T08:00:00Z',
        sharedUser: { _id: 'u-2', email: 'otto@example.com', name: 'Otto' },
      },
    ]
    setup(
      editor({ saved: saved() }),
      {
        'GET /api/general/workflow-api-shared/api-1/shared-users': () => ({ body: { items } }),
        'DELETE /api/general/workflow-api-shared/s-1': () => {
          items = []
          return { status: 204 }
        },
      },
      '?tab=share',
    )
    await press('Stop sharing with otto@example.com')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stop sharing' }))
    await findText('shared user was deleted')
    expect(await screen.findByText('Not shared')).toBeTruthy()
  })
})

describe('webhooks', () => {
  it('need a saved API', async () => {
    setup(editor(), {}, '?tab=webhook')
    expect(await screen.findByText('Create (save) the API first')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Add webhook' })).toBeNull()
  })

  it('are those of the saved API', async () => {
    setup(
      editor({ saved: saved() }),
      { 'GET /api/general/webhook-config/api-1': { body: { items: [] } } },
      '?tab=webhook',
    )
    expect(await screen.findByText('No webhooks yet')).toBeTruthy()
  })
})

describe('the data preview', () => {
  it('has the address of the current version, and that of the saved one on request', async () => {
    setup(editor({ saved: saved() }), {}, '?tab=dataPreview')
    const run = `${window.location.origin}/api/general/job/workflow-api/api-1`
    expect(await findText(`POST ${run}`)).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'This version' }))
    expect(screen.getByText(`POST ${run}/version/version-2`)).toBeTruthy()
    expect(screen.getByText(/curl -s '.*\/version\/version-2'/)).toBeTruthy()
    const document = '/api/general/workflow-api/api-1/version/version-2/openapi'
    expect(screen.getByText(`GET ${window.location.origin}${document}`)).toBeTruthy()
  })

  it('pins nothing before the first save', async () => {
    setup(editor())
    await press('Use this selection')
    await userEvent.click(screen.getByRole('tab', { name: 'Data preview' }))
    expect(await findText(/workflow-api\/WORKFLOW_API_ID$/)).toBeTruthy()
    expect(screen.queryByRole('radio', { name: 'This version' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Versions' })).toBeNull()
  })
})
