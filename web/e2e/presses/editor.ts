import { expect, type Page } from '@playwright/test'
import { ONE_NODE, standInEditor } from '../editor-frame'
import { PIXEL } from '../people'
import { call, type Fixtures, type Person, xsrf } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const fresh = (words: string) => `${words} ${Date.now()}`
/** Phones show a preview without buttons. */
const DESKTOP = { width: 1024, height: 844 }
const beforeWith = async (page: Page, graph: object) => {
  await page.setViewportSize(DESKTOP)
  await standInEditor(page, graph)
}
const before = (page: Page) => beforeWith(page, ONE_NODE)
const atFlow = (id: string) => `/comfyui?flow=${id}`

/** A private workflow of the user. */
async function project(person: Person, name: string): Promise<string> {
  const output = { 1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 1 } } }
  const body = { name, prompt: { workflow: ONE_NODE, output }, isPrivate: true }
  return (await call<{ _id: string }>(person, 'post', '/api/general/workflow', body))._id
}
const ofMember =
  (name: string) =>
  ({ member }: Fixtures) =>
    project(member, name)
const versions = async ({ member }: Fixtures, id: string) => {
  const path = `/api/general/workflow/${id}/version`
  return (await call<{ items: { version: number }[] }>(member, 'get', path)).items.length
}
const isReady = (page: Page) => expect(mainButton(page, 'Save')).toBeEnabled()
const pick = async (page: Page, item: string) => {
  await isReady(page)
  await mainButton(page, 'More actions').click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

export const EDITOR: Press[] = [
  {
    hook: 'editor/useSaveGraph',
    who: 'member',
    stage: ofMember('Saved once'),
    before,
    path: atFlow,
    reach: async (page) => {
      await isReady(page)
      const stored = page.waitForResponse((one) => one.request().method() === 'PUT' && one.url().endsWith('/draft'))
      await page.frameLocator('iframe').locator('body').click()
      await stored
    },
    button: (page) => mainButton(page, 'Save'),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, id, fixtures) => expect(await versions(fixtures, id)).toBe(2),
  },
  {
    hook: 'editor/useSaveNew',
    who: 'member',
    stage: async () => fresh('New project'),
    before,
    path: '/comfyui?new=true',
    reach: async (page, name) => {
      await isReady(page)
      await page.getByLabel('Project name').fill(name)
    },
    button: (page) => mainButton(page, 'Save'),
    writes: ['POST /api/general/workflow'],
    kept: async (_page, name, { member }) => {
      const { items } = await call<{ items: { name: string }[] }>(member, 'get', '/api/general/workflow/my?limit=50')
      expect(items.filter((one) => one.name === name)).toHaveLength(1)
    },
  },
  {
    hook: 'editor/useRenameProject',
    who: 'member',
    stage: ofMember('Named before'),
    before,
    path: atFlow,
    reach: async (page) => {
      await isReady(page)
      await page.getByLabel('Project name').fill('Named after')
    },
    button: (page) => page.getByLabel('Project name'),
    key: 'Enter',
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, id, { member }) => {
      const { name } = await call<{ name: string }>(member, 'get', `/api/general/workflow/${id}`)
      expect(name).toBe('Named after')
    },
  },
  {
    hook: 'editor/useRestoreVersion',
    who: 'member',
    stage: async (fixtures) => {
      const id = await project(fixtures.member, 'Restored')
      const workflow = { ...ONE_NODE, extra: { changed: true } }
      await call(fixtures.member, 'patch', `/api/general/workflow/${id}`, { prompt: { workflow } })
      return id
    },
    before,
    path: atFlow,
    reach: async (page) => {
      await pick(page, 'Versions')
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    },
    button: (page) => dialogButton(page, 'Restore'),
    writes: ['POST /api/general/workflow/:id/version/1/restore', 'DELETE /api/general/workflow/:id/draft'],
    kept: async (_page, id, fixtures) => expect(await versions(fixtures, id)).toBe(3),
  },
  {
    hook: 'editor/useInsertedImage',
    who: 'member',
    stage: async ({ member }) => {
      const image = { name: `dot-${Date.now()}.png`, mimeType: 'image/png', buffer: PIXEL }
      const sent = { headers: await xsrf(member), multipart: { image } }
      const uploaded = await member.context.request.post('/api/general/asset/file/image', sent)
      expect(uploaded.ok()).toBe(true)
      const { _id, name } = (await uploaded.json()) as { _id: string; name: string }
      await call(member, 'post', '/api/general/input-asset', { asset: _id, isPrivate: true })
      return name
    },
    before,
    path: '/comfyui?new=true',
    reach: (page) => pick(page, 'My images'),
    button: (page, name) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: new RegExp(name) })
        .first(),
    writes: ['POST /comfyui-editor/api/upload/image'],
  },
  {
    hook: 'editor/useRequestRequirement',
    who: 'member',
    stage: async () => fresh('Missing node'),
    before: (page, name) => beforeWith(page, { nodes: [{ id: 1, type: name }], links: [] }),
    path: '/comfyui?new=true',
    reach: (page) => mainButton(page, 'Show what is missing').click(),
    button: (page) => dialogButton(page, 'Ask for it'),
    writes: ['POST /api/general/requirement-request'],
    kept: async (page, name, { admin }) => {
      await expect(page.getByRole('dialog').getByText('Requested', { exact: true })).toBeVisible()
      const path = '/api/admin/requirement-request'
      const { items } = await call<{ items: { name: string; requests: number }[] }>(admin, 'get', path)
      expect(items.filter((one) => one.name === name).map((one) => one.requests)).toEqual([1])
    },
  },
]
