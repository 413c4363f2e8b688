import { expect, type Page } from '@playwright/test'
import { call, type Fixtures, type Person } from './fixtures'
import { mainButton, type Press } from './row'

const MODELS = '/admin/list/verdigraph-generator?part=models'
const FOLDER = 'checkpoints'
const LIKE = 'sd_xl'
const WRITE = '/api/admin/generator/model'

/** The admin's choices for a file since a moment, from the audit log. */
const choices = async (admin: Person, made: string) => {
  const { file, since } = JSON.parse(made) as { file: string; since: string }
  const address = `/api/admin/audit?action=generator.model&from=${encodeURIComponent(since)}`
  const { items } = await call<{ items: { before: unknown; after: { file: string } }[] }>(admin, 'get', address)
  return items.filter(({ after }) => after.file === file)
}
const made = (file: string) => JSON.stringify({ file, since: new Date().toISOString() })
const fileOf = (made: string) => (JSON.parse(made) as { file: string }).file
const newFile = () => `press-${Date.now()}.safetensors`

/** The built-in worker has no model files, so one is added to the response. */
const withFile = (like: string | null) => (page: Page, made: string) =>
  page.route('**/api/admin/generator', async (route) => {
    const response = await route.fetch()
    const answer = await response.json()
    answer.models.push({ folder: FOLDER, file: fileOf(made), family: null, isSet: like !== null, like })
    await route.fulfill({ response, json: answer })
  })
const choose = (label: string) => async (page: Page, made: string) => {
  await page.getByLabel(`What ${fileOf(made)} is`, { exact: true }).selectOption({ label })
}
const save = (page: Page, made: string) => mainButton(page, `Save what ${fileOf(made)} is`)

const BINDING = '/api/admin/simple-app/face-swap'
/** Face swap has no app here otherwise. */
const boundApp = async (admin: Person) => {
  const { items } = await call<{ items: { address: string; workflowApi: string | null }[] }>(
    admin,
    'get',
    '/api/admin/simple-app',
  )
  return items.find(({ address }) => address === 'face-swap')?.workflowApi ?? null
}

/** What admins say about model files and simple apps. */
export const GENERATORS: Press[] = [
  {
    hook: 'generators/useSetModel',
    who: 'admin',
    stage: async () => made(newFile()),
    before: withFile(null),
    path: MODELS,
    reach: choose(LIKE),
    button: save,
    writes: [`PUT ${WRITE}`],
    kept: async (_page, made, { admin }: Fixtures) => {
      const entries = await choices(admin, made)
      expect(entries.map(({ after }) => after)).toEqual([
        { folder: FOLDER, file: fileOf(made), isSet: true, like: LIKE },
      ])
      await call(admin, 'delete', `${WRITE}?folder=${FOLDER}&file=${fileOf(made)}`)
    },
  },
  {
    hook: 'generators/useForgetModel',
    who: 'admin',
    stage: async ({ admin }) => {
      const file = newFile()
      await call(admin, 'put', WRITE, { folder: FOLDER, file, like: LIKE })
      return made(file)
    },
    before: withFile(LIKE),
    path: MODELS,
    reach: choose('Let name and header decide'),
    button: save,
    writes: [`DELETE ${WRITE}`],
    kept: async (_page, made, { admin }: Fixtures) => {
      const entries = await choices(admin, made)
      expect(entries.map(({ after }) => after)).toEqual([
        { folder: FOLDER, file: fileOf(made), isSet: false, like: null },
      ])
    },
  },
  {
    hook: 'generators/useBindSimpleApp',
    who: 'admin',
    stage: async ({ pictureApp }) => pictureApp,
    path: '/admin/list/verdigraph-generator?part=apps',
    reach: (page, app) => page.getByLabel('Mini app for Face swap').fill(app),
    button: (page) => mainButton(page, 'Bind the app to Face swap'),
    writes: [`PUT ${BINDING}`],
    kept: async (_page, app, { admin }: Fixtures) => {
      expect(await boundApp(admin)).toBe(app)
      await call(admin, 'delete', BINDING)
    },
  },
  {
    hook: 'generators/useUnbindSimpleApp',
    who: 'admin',
    stage: async ({ admin, pictureApp }) => {
      await call(admin, 'put', BINDING, { workflowApi: pictureApp })
      return pictureApp
    },
    path: '/admin/list/verdigraph-generator?part=apps',
    button: (page) => mainButton(page, 'Unbind the app of Face swap'),
    writes: [`DELETE ${BINDING}`],
    kept: async (_page, _app, { admin }: Fixtures) => expect(await boundApp(admin)).toBeNull(),
  },
]
