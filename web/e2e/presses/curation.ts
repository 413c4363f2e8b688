import { expect, type Page } from '@playwright/test'
import { liftByKeyboard } from '../sorting'
import { call, fresh, items, type Person, post } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

type Tag = { _id: string; name: string; parentTag: string | null }
const tags = (admin: Person) => items<Tag>(admin, '/api/admin/workflow-tag')
const addTag = async (admin: Person, name: string) =>
  (await call<Tag>(admin, 'post', '/api/admin/workflow-tag', { name, nameKo: name, parentTag: null }))._id
/** Removes what the rows created. */
const sweep = async (admin: Person) => {
  for (const { _id, name } of await tags(admin)) {
    if (name.startsWith('Press ')) await call(admin, 'delete', `/api/admin/workflow-tag/${_id}`)
  }
}
const tagMenu = async (page: Page, name: string, entry: string) => {
  await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}
const newTag = (page: Page) => page.getByRole('dialog', { name: 'New tag' })

/** Lifts the first entry of a list by keyboard and moves it down one place, ready to be dropped. */
const lift = async (page: Page, list: string) => {
  const handle = page
    .getByRole('list', { name: list })
    .getByRole('button', { name: /^Move / })
    .first()
  await handle.focus()
  await liftByKeyboard(page, 1, 2)
}
const ORDERS = { tags: 'Tag groups', basics: 'Chosen' }
const handle = (list: string) => (page: Page) =>
  page.getByRole('list', { name: list }).locator('[aria-pressed=true]').first()
type Basic = { _id: string; name: string }
const basics = (admin: Person) => items<Basic>(admin, '/api/admin/basic-workflow')

/** Tags, and the workflows that beginners are shown. */
export const CURATION: Press[] = [
  {
    hook: 'curation/useCreateTag',
    who: 'admin',
    stage: async ({ admin }) => {
      await sweep(admin)
      return fresh('Press')
    },
    path: '/admin/workflow-tags',
    reach: async (page, name) => {
      await mainButton(page, 'Add group').click()
      await newTag(page).getByLabel('Name in English').fill(name)
      await newTag(page).getByLabel('Name in Korean').fill(name)
    },
    button: (page) => newTag(page).getByRole('button', { name: 'Save' }),
    writes: ['POST /api/admin/workflow-tag'],
    kept: async (_page, name, { admin }) =>
      expect((await tags(admin)).filter((tag) => tag.name === name)).toHaveLength(1),
  },
  {
    hook: 'curation/useUpdateTag',
    who: 'admin',
    stage: async ({ admin }) => {
      const name = fresh('Press')
      await addTag(admin, name)
      return name
    },
    path: '/admin/workflow-tags',
    reach: async (page, name) => {
      await tagMenu(page, name, 'Edit')
      await page.getByRole('dialog', { name: 'Edit tag' }).getByLabel('Name in English').fill(`${name} more`)
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/workflow-tag/:id'],
    kept: async (_page, name, { admin }) =>
      expect((await tags(admin)).filter((tag) => tag.name === `${name} more`)).toHaveLength(1),
  },
  {
    hook: 'curation/useMergeTags',
    who: 'admin',
    stage: async ({ admin }) => {
      const name = fresh('Press')
      await addTag(admin, `${name} in`)
      await addTag(admin, `${name} out`)
      return name
    },
    path: '/admin/workflow-tags',
    reach: async (page, name) => {
      await tagMenu(page, `${name} out`, 'Merge into another')
      await page.getByRole('dialog').getByLabel('The tag that stays').selectOption(`${name} in`)
    },
    button: (page) => dialogButton(page, 'Merge'),
    writes: ['POST /api/admin/workflow-tag/:id/merge'],
    kept: async (_page, name, { admin }) => {
      const left = (await tags(admin)).map((tag) => tag.name)
      expect(left).toContain(`${name} in`)
      expect(left).not.toContain(`${name} out`)
    },
  },
  {
    hook: 'curation/useDeleteTag',
    who: 'admin',
    stage: async ({ admin }) => {
      const name = fresh('Press')
      await addTag(admin, name)
      await addTag(admin, `${name} next`)
      return name
    },
    path: '/admin/workflow-tags',
    reach: (page, name) => tagMenu(page, name, 'Delete'),
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/admin/workflow-tag/:id'],
    kept: async (_page, name, { admin }) => {
      const left = (await tags(admin)).map((tag) => tag.name)
      expect(left).not.toContain(name)
      expect(left).toContain(`${name} next`)
      await sweep(admin)
    },
  },
  {
    hook: 'curation/useOrderTags',
    who: 'admin',
    stage: async ({ admin }) =>
      JSON.stringify((await tags(admin)).filter(({ parentTag }) => !parentTag).map(({ _id }) => _id)),
    path: '/admin/workflow-tags',
    reach: (page) => lift(page, ORDERS.tags),
    button: handle(ORDERS.tags),
    press: (page, presses) => drop(page, presses),
    writes: ['PUT /api/admin/workflow-tag/order'],
    kept: async (_page, before, { admin }) => {
      const ids = JSON.parse(before) as string[]
      const [first = '', second = '', ...rest] = ids
      const now = (await tags(admin)).filter(({ parentTag }) => !parentTag).map(({ _id }) => _id)
      expect(now).toEqual([second, first, ...rest])
      await call(admin, 'put', '/api/admin/workflow-tag/order', { parentTag: null, ids })
    },
  },
  {
    hook: 'curation/useChooseBasic',
    who: 'admin',
    stage: async ({ other }) => {
      const name = fresh('Press basic')
      await post(other, name)
      return name
    },
    path: '/admin/basic-workflows-manager',
    button: (page, name) => mainButton(page, `Add ${name}`),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, name, { admin }) => {
      const chosen = (await basics(admin)).filter((one) => one.name === name)
      expect(chosen).toHaveLength(1)
    },
  },
  {
    hook: 'curation/useChooseBasic',
    who: 'admin',
    stage: async ({ admin }) => {
      const all = await basics(admin)
      return all.find(({ name }) => name.startsWith('Press basic'))?.name ?? ''
    },
    path: '/admin/basic-workflows-manager',
    reach: (page, name) => mainButton(page, `Remove ${name}`).click(),
    button: (page) => dialogButton(page, 'Remove'),
    writes: ['PATCH /api/general/workflow/:id'],
    kept: async (_page, name, { admin }) =>
      expect((await basics(admin)).filter((one) => one.name === name)).toHaveLength(0),
  },
  {
    hook: 'curation/useOrderBasics',
    who: 'admin',
    stage: async ({ admin }) => JSON.stringify((await basics(admin)).map(({ _id }) => _id)),
    path: '/admin/basic-workflows-manager',
    reach: (page) => lift(page, ORDERS.basics),
    button: handle(ORDERS.basics),
    press: (page, presses) => drop(page, presses),
    writes: ['PUT /api/admin/basic-workflow/order'],
    kept: async (_page, before, { admin }) => {
      const ids = JSON.parse(before) as string[]
      const [first = '', second = '', ...rest] = ids
      expect((await basics(admin)).map(({ _id }) => _id)).toEqual([second, first, ...rest])
      await call(admin, 'put', '/api/admin/basic-workflow/order', { ids })
    },
  },
]

/** Drops the lifted item several times: the second press lifts it again at its new place. */
async function drop(page: Page, presses: number): Promise<void> {
  for (let press = 0; press < presses; press += 1) await page.keyboard.press('Space', { delay: 30 })
}
