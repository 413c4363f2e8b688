import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Routes } from 'react-router'
import { describe, expect, it, vi } from 'vitest'
import { LoginDialogProvider } from '@/features/auth'
import type { User, Workflow } from '@/shared/api/types'
import { asset, user, workflow } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import EditPage from './edit-page'

// The editor needs a real layout; the end-to-end tests cover it.
vi.mock('@/shared/ui/rich-text-editor', () => ({
  default: ({ html, label, onChange }: { html: string; label: string; onChange: (html: string) => void }) => (
    <textarea aria-label={label} defaultValue={html} onChange={(event) => onChange(event.target.value)} />
  ),
}))

const uploads = vi.hoisted(() => ({ end: [] as ((asset: unknown) => void)[] }))
vi.mock('@/shared/api/upload', async (original) => ({
  ...(await original<object>()),
  uploadImage: () => new Promise((resolve) => uploads.end.push(resolve)),
}))

const root = {
  _id: 'style',
  name: 'Style',
  nameKo: '스타일',
  depth: 0,
  parentTag: null,
  createdAt: '2026-01-01T00:00:00Z',
}
const below = ['Photo', 'Anime', '3D', 'Painting', 'Line art', 'Abstract'].map((name) => ({
  ...root,
  _id: name,
  name,
  nameKo: `${name} 태그`,
  depth: 1,
  parentTag: root,
  childrenTags: [],
}))
const tags = { items: [{ ...root, childrenTags: below }, ...below] }
const draft = workflow({ isPrivate: true, publishedAt: null, thumbnails: [asset()], cover: asset() })
const SAVE = 'PATCH /api/general/workflow/workflow-1'

function setup(
  shown: Workflow = draft,
  { who = user() as User | null, path = '/workflows/edit/workflow-1?isUpload=true', handlers = {} } = {},
) {
  const requests = stubApi({
    'GET /api/auth': who ? { body: who } : { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } },
    'GET /api/general/workflow/workflow-1': { body: shown },
    'GET /api/public/workflow-tag': { body: tags },
    'GET /api/auth/me/subscription': { body: { name: 'Free', stealthMode: false } },
    [SAVE]: { body: workflow() },
    ...handlers,
  })
  const part = (
    <LoginDialogProvider>
      <Routes>
        <Route path="workflows/edit/:workflowId" element={<EditPage />} />
        <Route path="workflows/:workflowId" element={null} />
      </Routes>
    </LoginDialogProvider>
  )
  return { requests, ...renderApp(part, { path }) }
}

const saved = (requests: { method: string; body: unknown }[]) => requests.find(({ method }) => method === 'PATCH')?.body
const question = () => screen.findByRole('dialog', { name: 'Publish “Silk”?' })
const publish = async () => userEvent.click(await screen.findByRole('button', { name: 'Publish' }))

describe('the upload step', () => {
  it('names missing parts and does not publish without them', async () => {
    const { requests, router } = setup()
    await publish()
    expect(await screen.findByText('please select at least one tag')).toBeTruthy()
    expect(saved(requests)).toBeUndefined()
    await userEvent.click(screen.getByRole('button', { name: 'Photo' }))
    await publish()
    await userEvent.click(await within(await question()).findByRole('button', { name: 'Publish' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflows/workflow-1'))
    expect(saved(requests)).toEqual({
      name: 'Silk',
      description: '<p>Folds</p>',
      thumbnails: ['asset-1'],
      workflowTags: ['Photo'],
      cover: 'asset-1',
      isPrivate: false,
    })
    expect(await screen.findByText('It is public now.')).toBeTruthy()
  })

  it('says what becomes visible and what cannot be undone before it publishes', async () => {
    const { requests } = setup({ ...draft, workflowApi: 'app-1', workflowTags: [{ ...root, _id: 'Photo' }] as never })
    await publish()
    const asked = within(await question())
    expect(asked.getByText(/under your name Mira, with its picture and its description/)).toBeTruthy()
    expect(asked.getByText(/whole graph, download it, and make a copy/)).toBeTruthy()
    expect(asked.getByText(/mini app is listed, and everyone can run it/)).toBeTruthy()
    expect(await asked.findByText(/On the Free plan you cannot make it private again/)).toBeTruthy()
    await userEvent.click(asked.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saved(requests)).toBeUndefined()
  })

  it('retries a plan that could not be loaded, and publishes nothing until then', async () => {
    let broken = true
    const { requests } = setup(
      { ...draft, workflowTags: [{ ...root, _id: 'Photo' }] as never },
      {
        handlers: {
          'GET /api/auth/me/subscription': () =>
            broken
              ? { status: 500, body: { code: 'INTERNAL', message: 'broken' } }
              : { body: { name: 'Pro', stealthMode: true } },
        },
      },
    )
    await publish()
    const asked = within(await question())
    expect(await asked.findByText('Your plan could not be loaded.')).toBeTruthy()
    expect(asked.getByRole('button', { name: 'Publish' })).toHaveProperty('disabled', true)
    broken = false
    await userEvent.click(asked.getByRole('button', { name: 'Try Again' }))
    expect(await asked.findByText('You can make it private again at any time.')).toBeTruthy()
    await userEvent.click(asked.getByRole('button', { name: 'Publish' }))
    await waitFor(() => expect(saved(requests)).toMatchObject({ isPrivate: false }))
  })

  it('takes at most five tags', async () => {
    setup()
    for (const name of ['Photo', 'Anime', '3D', 'Painting', 'Line art', 'Abstract']) {
      await userEvent.click(await screen.findByRole('button', { name }))
    }
    expect(screen.getByText('maximum 5 tags allowed')).toBeTruthy()
    expect(within(screen.getByRole('list', { name: 'Chosen tags' })).getAllByRole('listitem')).toHaveLength(5)
    await userEvent.click(screen.getByRole('button', { name: 'Remove tag Anime' }))
    expect(screen.queryByText('maximum 5 tags allowed')).toBeNull()
  })

  it('redirects other users to the post, and asks guests to sign in', async () => {
    const other = setup(workflow({ user: { _id: 'x', name: 'Ada' } }))
    await waitFor(() => expect(other.router.state.location.pathname).toBe('/workflows/workflow-1'))
    other.unmount()
    setup(draft, { who: null })
    expect(await screen.findByText('Sign in to edit workflows')).toBeTruthy()
  })
})

describe('the edit page', () => {
  const path = '/workflows/edit/workflow-1'

  it('saves without changing the visibility', async () => {
    const { requests } = setup(draft, { path })
    const name = await screen.findByLabelText('Name')
    await userEvent.clear(name)
    await userEvent.type(name, 'Velvet')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saved(requests)).toMatchObject({ name: 'Velvet' }))
    expect(saved(requests)).not.toHaveProperty('isPrivate')
    await waitFor(() => expect(localStorage.getItem('vg.workflow.workflow-1')).toBeNull())
  })

  it('keeps typed values over a reload until they are discarded', async () => {
    const first = setup(draft, { path })
    await userEvent.type(await screen.findByLabelText('Name'), ' and satin')
    first.unmount()
    setup(draft, { path })
    const name = (await screen.findByLabelText('Name')) as HTMLInputElement
    expect(name.value).toBe('Silk and satin')
    await userEvent.click(screen.getByRole('button', { name: 'Discard them' }))
    expect(name.value).toBe('Silk')
    expect(localStorage.getItem('vg.workflow.workflow-1')).toBeNull()
  })

  it('drops typed values if the workflow was saved elsewhere since', async () => {
    const first = setup(draft, { path })
    await userEvent.type(await screen.findByLabelText('Name'), ' and satin')
    first.unmount()
    setup({ ...draft, name: 'Linen', editedAt: '2026-11-21T00:00:00Z' }, { path })
    expect(((await screen.findByLabelText('Name')) as HTMLInputElement).value).toBe('Linen')
  })

  it('asks before unsaved changes are left', async () => {
    const { router } = setup(draft, { path })
    await userEvent.type(await screen.findByLabelText('Name'), '!')
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('dialog', { name: 'Leave without saving?' })
    expect(router.state.location.pathname).toBe(path)
    await userEvent.click(within(question).getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/workflows/workflow-1'))
  })

  it('blocks saving by press and key while a picture uploads, and then sends it', async () => {
    const { requests } = setup(draft, { path })
    const name = await screen.findByLabelText('Name')
    await userEvent.upload(screen.getByTestId('pictures'), new File(['x'], 'new.png', { type: 'image/png' }))
    const waiting = await screen.findByRole('button', { name: 'Uploading a picture' })
    await userEvent.click(waiting)
    await userEvent.type(name, '{Enter}')
    expect(saved(requests)).toBeUndefined()
    uploads.end.shift()?.(asset({ _id: 'late' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saved(requests)).toMatchObject({ thumbnails: ['asset-1', 'late'] }))
  })

  it('marks a rejected field', async () => {
    const details = [{ field: 'name', message: 'must have 1 to 100 characters' }]
    setup(draft, {
      path,
      handlers: { [SAVE]: { status: 400, body: { code: 'VALIDATION_FAILED', message: 'name: no', details } } },
    })
    await userEvent.type(await screen.findByLabelText('Name'), '!')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('must have 1 to 100 characters')).toBeTruthy()
  })

  it('chooses the cover and removes pictures', async () => {
    const pictures = [asset({ _id: 'a' }), asset({ _id: 'b' })]
    const { requests } = setup({ ...draft, thumbnails: pictures, cover: pictures[0] ?? null }, { path })
    await userEvent.click(await screen.findByRole('button', { name: 'Picture 2 as cover' }))
    await userEvent.click(screen.getByRole('button', { name: 'Remove picture 1' }))
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(saved(requests)).toMatchObject({ thumbnails: ['b'], cover: 'b' }))
  })
})
