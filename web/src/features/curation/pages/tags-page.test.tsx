import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { WorkflowTagUse } from '@/shared/api/types'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import TagsPage from './tags-page'

const tag = (id: string, change: Partial<WorkflowTagUse> = {}): WorkflowTagUse => ({
  _id: id,
  name: id,
  nameKo: `${id} 태그`,
  depth: change.parentTag ? 1 : 0,
  parentTag: null,
  workflows: 0,
  published: 0,
  ...change,
})
const LIST = 'GET /api/admin/workflow-tag'
const items = [
  tag('Style'),
  tag('Use'),
  tag('Photo', { parentTag: 'Style', workflows: 1200 }),
  tag('Anime', { parentTag: 'Style' }),
]

async function show(handlers: Parameters<typeof stubApi>[0] = {}) {
  const requests = stubApi({
    'GET /api/auth': { body: user({ roles: ['Customer', 'Admin'] }) },
    [LIST]: { body: { items } },
    ...handlers,
  })
  renderApp(<TagsPage />)
  await userEvent.click(await screen.findByRole('button', { name: /^Style/ }))
  return requests
}

const choose = async (tagName: string, entry: string) => {
  await userEvent.click(screen.getByRole('button', { name: `Actions for ${tagName}` }))
  await userEvent.click(screen.getByRole('menuitem', { name: entry }))
}
const sent = (requests: Awaited<ReturnType<typeof show>>, method: string) =>
  requests.filter((request) => request.method === method).map(({ path, body }) => ({ path, body }))

describe('the admin page of tags', () => {
  it('shows groups with their tags, both names and number of uses', async () => {
    await show()
    const group = within(screen.getByRole('list', { name: 'Tags of Style' }))
    expect(group.getByText('Photo')).toBeTruthy()
    expect(group.getByText('Photo 태그')).toBeTruthy()
    expect(group.getByText('1.2K')).toBeTruthy()
    expect(group.getByText('1200 workflows')).toBeTruthy()
    expect(screen.queryByRole('list', { name: 'Tags of Use' })).toBeNull()
  })

  it('adds a tag to a group, and says when a name is taken', async () => {
    let asked = 0
    const requests = await show({
      'POST /api/admin/workflow-tag': () => {
        asked += 1
        return asked === 1
          ? { status: 409, body: { code: 'TAG_NAME_TAKEN', message: 'x' } }
          : { status: 201, body: tag('Film', { parentTag: 'Style' }) }
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Add tag to Style' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'New tag' }))
    expect((dialog.getByLabelText('Group') as HTMLSelectElement).value).toBe('Style')
    const save = dialog.getByRole('button', { name: 'Save' })
    expect((save as HTMLButtonElement).disabled).toBe(true)
    await userEvent.type(dialog.getByLabelText('Name in English'), ' Film ')
    await userEvent.type(dialog.getByLabelText('Name in Korean'), '필름')
    await userEvent.click(save)
    expect(await dialog.findByText('There is already a tag with this name here.')).toBeTruthy()
    await userEvent.click(save)
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'New tag' })).toBeNull())
    expect(sent(requests, 'POST').at(-1)).toEqual({
      path: '/api/admin/workflow-tag',
      body: { name: 'Film', nameKo: '필름', parentTag: 'Style' },
    })
    await waitFor(() => expect(requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(2))
  })

  it('moves a tag to another group, but not a group with tags', async () => {
    const requests = await show({ 'PATCH /api/admin/workflow-tag/Photo': { body: items[2] } })
    await choose('Photo', 'Edit')
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit tag' }))
    await userEvent.selectOptions(dialog.getByLabelText('Group'), 'Use')
    await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent(requests, 'PATCH')).toHaveLength(1))
    expect(sent(requests, 'PATCH')[0]?.body).toEqual({ name: 'Photo', nameKo: 'Photo 태그', parentTag: 'Use' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await choose('Style', 'Edit')
    const group = within(await screen.findByRole('dialog', { name: 'Edit tag' }))
    expect((group.getByLabelText('Group') as HTMLSelectElement).disabled).toBe(true)
  })

  it('merges a tag that is in use instead of deleting it', async () => {
    const requests = await show({ 'POST /api/admin/workflow-tag/Photo/merge': { body: items[3] } })
    await choose('Photo', 'Delete')
    const dialog = within(await screen.findByRole('dialog', { name: 'Merge “Photo” into another tag' }))
    expect(dialog.getByText(/1200 workflows use it/)).toBeTruthy()
    const merge = dialog.getByRole('button', { name: 'Merge' })
    expect((merge as HTMLButtonElement).disabled).toBe(true)
    await userEvent.selectOptions(dialog.getByLabelText('The tag that stays'), 'Style › Anime')
    await userEvent.click(merge)
    expect(await screen.findByText('Merged into Style › Anime.')).toBeTruthy()
    expect(sent(requests, 'POST')).toEqual([{ path: '/api/admin/workflow-tag/Photo/merge', body: { into: 'Anime' } }])
    expect(sent(requests, 'DELETE')).toEqual([])
  })

  it('deletes an unused tag after a confirmation, but not a group with tags', async () => {
    const requests = await show({ 'DELETE /api/admin/workflow-tag/Anime': { status: 204 } })
    await choose('Style', 'Delete')
    expect(await screen.findByText('“Style” still has tags. Move or merge them first.')).toBeTruthy()
    await choose('Anime', 'Delete')
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the tag “Anime”?' }))
    expect(sent(requests, 'DELETE')).toEqual([])
    await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(sent(requests, 'DELETE')).toHaveLength(1))
  })
})
