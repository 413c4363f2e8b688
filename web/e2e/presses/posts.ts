import { expect, type Page } from '@playwright/test'
import { withStealthMode } from '../checklist/row'
import { call, draft, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const fresh = (words: string) => `${words} ${Date.now()}`
const own = async (person: Person, name: string) => {
  const path = '/api/general/workflow/my?limit=50'
  const { items } = await call<{ items: { name: string; isPrivate: boolean }[] }>(person, 'get', path)
  return items.filter((one) => one.name === name)
}
const GRAPH = { 1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 65_280 } } }
const file = (name: string) => ({
  name: `${name}.json`,
  mimeType: 'application/json',
  buffer: Buffer.from(JSON.stringify(GRAPH)),
})
/** Selects a workflow file in the upload dialog. */
const bring = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Upload workflow' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload a workflow' })
  await dialog.locator('input[type=file]').setInputFiles(file(name))
  await expect(dialog.getByLabel('Name')).toHaveValue(name)
}

export const POSTS: Press[] = [
  {
    hook: 'workflows/useLike',
    who: 'member',
    path: (_, { othersPost }) => `/workflows/${othersPost}`,
    button: (page) => mainButton(page, /^Favorite/),
    writes: ['PUT /api/general/workflow-like/:id'],
    kept: async (page) => {
      await page.reload()
      await expect(mainButton(page, /^(Favorite|Remove from favorites)/)).toHaveAttribute('aria-pressed', 'true')
    },
  },
  {
    hook: 'workflows/useCopyWorkflow',
    who: 'member',
    stage: async () => fresh('Copied once'),
    path: (_, { othersPost }) => `/workflows/${othersPost}`,
    reach: async (page, name) => {
      await mainButton(page, 'Make a copy').click()
      await page.getByRole('dialog').getByLabel('Project name').fill(name)
    },
    button: (page) => dialogButton(page, 'Copy'),
    writes: ['POST /api/general/workflow/copy'],
    kept: async (_page, name, { member }) => expect(await own(member, name)).toHaveLength(1),
  },
  {
    hook: 'workflows/useCopyWorkflow',
    who: 'member',
    stage: async () => fresh('Copied by Enter'),
    path: (_, { othersPost }) => `/workflows/${othersPost}`,
    reach: async (page, name) => {
      await mainButton(page, 'Make a copy').click()
      await page.getByRole('dialog').getByLabel('Project name').fill(name)
    },
    button: (page) => page.getByRole('dialog').getByLabel('Project name'),
    key: 'Enter',
    writes: ['POST /api/general/workflow/copy'],
    kept: async (_page, name, { member }) => expect(await own(member, name)).toHaveLength(1),
  },
  {
    hook: 'workflows/useCreateWorkflow',
    who: 'member',
    stage: async () => fresh('Brought along'),
    path: '/workflows',
    reach: bring,
    button: (page) => dialogButton(page, 'Next'),
    writes: ['POST /api/general/workflow'],
    kept: async (page, name, { member }) => {
      await expect(page).toHaveURL(/\/workflows\/edit\/[0-9a-f-]+\?isUpload=true$/)
      expect(await own(member, name)).toHaveLength(1)
    },
  },
  {
    hook: 'workflows/useSaveWorkflow',
    who: 'member',
    stage: ({ member }) => draft(member, fresh('Before')),
    path: (id) => `/workflows/edit/${id}`,
    reach: (page) => page.getByLabel('Name', { exact: true }).fill('Saved once'),
    button: (page) => mainButton(page, 'Save'),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, _, { member }) => expect(await own(member, 'Saved once')).not.toHaveLength(0),
  },
  {
    hook: 'workflows/useSetFlags',
    who: 'member',
    // Plans without Stealth Mode cannot hide public items.
    before: async (page) => {
      await withStealthMode(page)
      await page.route('**/api/general/workflow/privates', (route) => route.fulfill({ json: {} }))
    },
    path: (_, { ownPost }) => `/workflows/${ownPost}`,
    reach: (page) => mainButton(page, 'Unpublish').click(),
    button: (page) => dialogButton(page, 'Unpublish'),
    writes: ['PATCH /api/general/workflow/privates'],
    kept: (page) => expect(mainButton(page, 'Publish')).toBeVisible(),
  },
  {
    hook: 'workflows/useSetFlags',
    who: 'admin',
    path: (_, { othersPost }) => `/admin/workflows/${othersPost}`,
    button: (page) => mainButton(page, 'SFW'),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (page, _, { admin, othersPost }) => {
      await page.reload()
      await expect(mainButton(page, 'NSFW')).toBeVisible()
      await call(admin, 'patch', `/api/general/workflow/${othersPost}`, { isNsfw: false })
    },
  },
  {
    hook: 'workflows/useDeleteWorkflow',
    who: 'member',
    stage: async ({ member }) => {
      const name = fresh('To be deleted')
      await draft(member, name)
      return name
    },
    path: (_, { member }) => `/profile/${member.id}/workflow-files`,
    // The next card moves up to the place of the removed one.
    reach: async (page, name) => {
      const card = page.locator('article').filter({ hasText: name })
      await card.hover()
      await card.getByRole('button', { name: /^Actions for/ }).click()
      await card.getByRole('menuitem', { name: 'Delete' }).click()
    },
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/workflow/:id'],
    kept: async (_page, name, { member }) => expect(await own(member, name)).toHaveLength(0),
  },
]
