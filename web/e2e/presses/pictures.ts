import { expect, type Page } from '@playwright/test'
import { PIXEL } from '../people'
import { call, type Fixtures, noiseBitmap, type Person, picturesOf, upload, xsrf } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

/** Queues jobs behind each other and returns the last. */
async function queue({ member, app }: Fixtures, jobs: number): Promise<string> {
  let last = ''
  for (let job = 0; job < jobs; job += 1)
    last = (await call<{ _id: string }>(member, 'post', `/api/general/job/workflow-api/${app}`, {}))._id
  return last
}
/** Queues a batch of jobs and returns its id. */
async function batch({ member, app }: Fixtures): Promise<string> {
  const began = Date.now()
  const lines = Array.from({ length: 20 }, (_, at) => JSON.stringify({ key: `${began}-${at}`, workflowApi: app }))
  const headers = { 'Content-Type': 'application/x-ndjson', ...(await xsrf(member)) }
  const answer = await member.context.request.post('/api/general/job/batch', { data: lines.join('\n'), headers })
  return (JSON.parse((await answer.text()).split('\n')[0] ?? '') as { batch: string }).batch
}
/** A picture from a raw prompt of the member. */
async function drawn({ member }: Fixtures): Promise<string> {
  const inputs = { width: 64, height: 64, batch_size: 1, color: Date.now() % 0xff_ff_ff }
  const prompt = {
    1: { class_type: 'EmptyImage', inputs },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'again' } },
  }
  const { _id } = await call<{ _id: string }>(member, 'post', '/api/general/job/prompt', { prompt })
  const status = async () => (await call<{ status: string }>(member, 'get', `/api/general/job/${_id}/status`)).status
  await expect.poll(status, { timeout: 60_000 }).toBe('Done')
  const outputs = await call(member, 'get', `/api/general/job/${_id}/api-outputs`)
  return /"outputAsset":"([0-9a-f-]{36})"/.exec(JSON.stringify(outputs))?.[1] ?? ''
}
const jobs = async (person: Person) =>
  (await call<{ items: { _id: string; status: string }[] }>(person, 'get', '/api/general/job?limit=50')).items
const tiles = (page: Page) => page.getByRole('list', { name: 'My pictures' }).getByRole('listitem')
const files = async (person: Person) =>
  (await call<{ items: unknown[] }>(person, 'get', '/api/general/input-asset/my?page=1&limit=50')).items
const BAR = 'Selected pictures'

/** A private picture of the member. */
const hidden = async ({ member }: Fixtures) => {
  const picture = (await picturesOf(member)).find(({ isPrivate }) => isPrivate)
  if (!picture) throw new Error('every picture is public already')
  return picture._id
}
/** A picture of another user. */
const others = async ({ member }: Fixtures) => {
  const path = '/api/public/output-asset?limit=5'
  const { items } = await call<{ items: { _id: string; user: { _id: string } }[] }>(member, 'get', path)
  return items.find(({ user }) => user._id !== member.id)?._id ?? ''
}
/** Opens a file chooser; browsers open one at a time. */
const choose = (page: Page, name: string) =>
  page.once('filechooser', (chooser) => chooser.setFiles({ name, mimeType: 'image/png', buffer: PIXEL }))

/** Pictures, files, mini apps and jobs. */
export const PICTURES: Press[] = [
  {
    hook: 'gallery/useDeletePictures',
    who: 'member',
    stage: async ({ member }) => (await picturesOf(member)).map(({ _id }) => _id).join(),
    path: '/pictures',
    reach: async (page) => {
      await tiles(page).nth(0).getByRole('checkbox').click()
      await page.getByRole('region', { name: BAR }).getByRole('button', { name: 'Delete' }).click()
    },
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/output-asset'],
    kept: async (_page, before, { member }) => {
      const left = (await picturesOf(member)).map(({ _id }) => _id)
      expect(before.split(',').filter((id) => !left.includes(id))).toHaveLength(1)
    },
  },
  {
    hook: 'mini-apps/useRun',
    who: 'member',
    stage: async ({ member }) => String((await jobs(member)).length),
    path: (_, { app }) => `/easy-app/${app}?ref=mail`,
    button: (page) => mainButton(page, 'Run'),
    writes: ['POST /api/general/job/workflow-api/:id'],
    kept: async (page, before, { member }) => {
      await expect(page).toHaveURL(/\?ref=mail&job=/)
      await expect(page.getByRole('button', { name: 'Open picture 1 in full' })).toBeVisible({ timeout: 60_000 })
      await expect(mainButton(page, 'Run')).toBeFocused()
      expect(await jobs(member)).toHaveLength(Number(before) + 1)
    },
  },
  {
    hook: 'jobs/useCancelJob',
    who: 'member',
    stage: (fixtures) => queue(fixtures, 12),
    path: (job) => `/jobs/${job}`,
    button: (page) => mainButton(page, 'Cancel job'),
    writes: ['POST /api/general/job/:id/cancel'],
    says: /You stopped this job/,
    kept: async (page, job, { member }) => {
      await page.reload()
      await expect(page.getByText('Canceled', { exact: true }).first()).toBeVisible()
      expect((await jobs(member)).filter(({ status }) => status === 'Canceled')).toMatchObject([{ _id: job }])
    },
  },
  {
    hook: 'jobs/useCancelBatch',
    who: 'member',
    stage: batch,
    path: (id) => `/jobs?batch=${id}`,
    reach: (page) => mainButton(page, 'Cancel the rest').click(),
    button: (page) => dialogButton(page, /^Cancel \d+ jobs?$/),
    writes: ['POST /api/general/job/batch/:id/cancel'],
    says: /You stopped this job/,
    // A running job ends when its worker has stopped.
    kept: (_page, id, { member }) =>
      expect.poll(() => call(member, 'get', `/api/general/job/batch/${id}`)).toMatchObject({ active: 0 }),
  },
  {
    hook: 'jobs/useCancelAll',
    who: 'member',
    stage: (fixtures) => queue(fixtures, 2),
    // Mocks the last two jobs as waiting, however soon they ended.
    before: async (page, _, { member }) => {
      await page.route(/\/api\/general\/job\?/, async (route) => {
        const waiting = (await jobs(member)).slice(0, 2).map((job) => ({ ...job, status: 'Pending' }))
        await route.fulfill({ json: { items: waiting, nextCursor: null } })
      })
      await page.route('**/api/general/job/*/cancel', (route) => route.fulfill({ json: {} }))
    },
    path: '/jobs',
    reach: (page) => mainButton(page, 'Cancel all jobs').click(),
    button: (page) => dialogButton(page, 'Cancel all jobs'),
    writes: ['POST /api/general/job/:id/cancel', 'POST /api/general/job/:id/cancel'],
  },
  {
    hook: 'jobs/useRunAgain',
    who: 'member',
    stage: drawn,
    path: (picture) => `/gallery/${picture}`,
    button: (page) => page.getByRole('button', { name: 'Run this prompt again' }),
    writes: ['POST /api/general/job/:id/again'],
    kept: (page) => expect(page).toHaveURL(/\/jobs\/./),
  },
  {
    hook: 'mini-apps/useUpload',
    who: 'member',
    before: async (page) => choose(page, 'chosen.png'),
    path: (_, { pictureApp }) => `/easy-app/${pictureApp}`,
    button: (page) => page.getByRole('button', { name: /Drop a picture, paste it, or click to choose/ }).first(),
    writes: ['POST /api/general/asset/file/image', 'POST /api/general/input-asset'],
    kept: (page) => expect(page.getByAltText('Chosen picture chosen.png')).toBeVisible(),
  },
  {
    hook: 'mask-editor/useSaveMask',
    who: 'member',
    path: (_, { pictureApp }) => `/easy-app/${pictureApp}`,
    reach: async (page) => {
      const file = { name: 'under.bmp', mimeType: 'image/bmp', buffer: noiseBitmap() }
      await page.locator('input[type=file]').first().setInputFiles(file)
      await expect(page.getByAltText('Chosen picture under.bmp')).toBeVisible()
      await mainButton(page, 'Draw a mask').click()
      const stage = page.getByRole('application', { name: 'Picture to draw on' })
      await expect(dialogButton(page, 'Invert')).toBeEnabled()
      await stage.click()
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['POST /comfyui-editor/api/upload/mask'],
    kept: (page) => expect(page.getByAltText('Chosen picture masked-under.png')).toBeVisible(),
  },
  {
    hook: 'mini-apps/useDeleteInput',
    who: 'member',
    stage: async ({ member }) => {
      for (const name of ['kept.bmp', 'dropped.bmp'])
        await call(member, 'post', '/api/general/input-asset', { asset: await upload(member, name) })
      return String((await files(member)).length)
    },
    path: (_, { pictureApp }) => `/easy-app/${pictureApp}`,
    reach: async (page) => {
      await mainButton(page, 'My Images').click()
      await page.getByRole('button', { name: 'Delete dropped.bmp' }).first().click()
    },
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/input-asset/:id'],
    kept: async (_page, before, { member }) => expect(await files(member)).toHaveLength(Number(before) - 1),
  },
  {
    hook: 'gallery/useLike',
    who: 'member',
    stage: others,
    path: (id) => `/gallery/${id}`,
    button: (page) => dialogButton(page, 'Like'),
    writes: ['PUT /api/general/output-asset-like/:id'],
    kept: async (page) => {
      await page.reload()
      await expect(dialogButton(page, 'Liked')).toHaveAttribute('aria-pressed', 'true')
    },
  },
  {
    hook: 'gallery/useCopyToUploads',
    who: 'member',
    stage: hidden,
    path: (id) => `/gallery/${id}`,
    reach: (page) => page.getByRole('button', { name: 'Use as input' }).click(),
    button: (page) =>
      page.getByRole('dialog', { name: 'Use as input' }).getByRole('listitem').getByRole('button').first(),
    writes: ['POST /api/general/output-asset/:id/upload'],
    kept: (page) => expect(page).toHaveURL(/\/easy-app\//),
  },
  {
    hook: 'workflows/useCopyAsThumbnail',
    who: 'member',
    path: (_, { ownPost }) => `/workflows/edit/${ownPost}`,
    reach: (page) => mainButton(page, 'Add from my pictures').click(),
    button: (page) => dialogButton(page, /^Add the picture of /).first(),
    writes: ['POST /api/general/output-asset/:id/thumbnail'],
    kept: (page) => expect(page.getByRole('dialog').getByText('1 picture added')).toBeVisible(),
  },
  {
    hook: 'gallery/useSetPrivate',
    who: 'member',
    stage: hidden,
    path: (id) => `/gallery/${id}`,
    reach: (page) => page.getByRole('button', { name: 'Publish', exact: true }).click(),
    button: (page) =>
      page.getByRole('dialog', { name: 'Publish this picture?' }).getByRole('button', { name: 'Publish' }),
    writes: ['PATCH /api/general/output-asset/privates'],
    kept: async (_page, id, { member }) =>
      expect((await picturesOf(member)).find(({ _id }) => _id === id)).toMatchObject({ isPrivate: false }),
  },
  {
    hook: 'gallery/useSetNsfw',
    who: 'admin',
    stage: others,
    path: (id) => `/admin/gallery/${id}`,
    button: (page) => page.getByRole('button', { name: 'Mark as NSFW', exact: true }),
    writes: ['PATCH /api/general/output-asset/:id/nsfw'],
    kept: async (page, id, { admin }) => {
      await page.reload()
      await expect(page.getByRole('button', { name: 'Mark as SFW', exact: true })).toBeVisible()
      await call(admin, 'patch', `/api/general/output-asset/${id}/nsfw`, { id, isNsfw: false })
    },
  },
]
