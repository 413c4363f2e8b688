import { expect, type Page } from '@playwright/test'
import { expectToast, mockJob, mockRefusal, mockSuccess, type Row } from './row'

const RUNS = /\/api\/general\/job\?(?=.*workflowApi=)/
const SHARED = /\/api\/general\/workflow-api-shared(\?|$)/
const AT = '2026-01-01T00:00:00Z'
const run = (id: string, more: object = {}) => ({
  _id: id,
  status: 'Done',
  lane: 'interactive',
  pool: 'cpu',
  attempt: 1,
  createdAt: AT,
  endedAt: AT,
  durationMs: 1200,
  credits: { held: 0, used: 1 },
  seeds: {},
  form: {},
  result: { outputAsset: id, kind: 'image', thumbnailUrl: null, isNsfw: false, isPrivate: true, count: 2 },
  ...more,
})
const page1 = (...items: object[]) => ({ items, nextCursor: null })
const share = {
  _id: '01970000-0000-7000-8000-0000000000ba',
  createdAt: AT,
  owner: { _id: '01970000-0000-7000-8000-0000000000bb', name: 'Otto' },
  workflowApi: { _id: '01970000-0000-7000-8000-0000000000bc', name: 'Harbour' },
}

const runs = (page: Page) => page.getByRole('region', { name: 'Earlier runs' })
const useAgain = (page: Page) => runs(page).getByRole('button', { name: /^Use these values again/ })
/** Overrides fields of the page's app. */
const changed = (page: Page, change: object, leftOut?: string) =>
  page.route(/\/api\/(general|public)\/workflow-api\/[0-9a-f-]+$/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const app = (await (await route.fetch()).json()) as Record<string, unknown>
    const kept = Object.entries({ ...app, ...change }).filter(([name]) => name !== leftOut)
    await route.fulfill({ json: Object.fromEntries(kept) })
  })
const works = (ok: boolean) => ({
  works: { ok, checkedAt: AT, missing: { classes: ok ? [] : ['Weave'], models: ok ? [] : ['checkpoints/silk.pt'] } },
})

const NOTES = {
  rjsf: {
    schema: {
      type: 'object',
      properties: { notes: { type: 'string', format: 'uuid', title: 'Notes' } },
      required: ['notes'],
    },
    uiSchema: { notes: { 'ui:widget': 'textfile' } },
  },
}
const textFile = (name: string, text: string | Buffer) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

const MODEL = '/media/raw/model/pyramid.glb'
/** A GLB file with a shape alone, as ComfyUI saves it. */
function pyramid(): Buffer {
  const corners = new Float32Array([-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 1.5, 0])
  const sides = new Uint16Array([0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0])
  const data = Buffer.concat([Buffer.from(corners.buffer), Buffer.from(sides.buffer)])
  const parts = [corners.byteLength, sides.byteLength]
  const scene = JSON.stringify({
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [-1, 0, -1], max: [1, 1.5, 1] },
      { bufferView: 1, componentType: 5123, count: sides.length, type: 'SCALAR' },
    ],
    bufferViews: parts.map((byteLength, at) => ({ buffer: 0, byteOffset: at === 0 ? 0 : parts[0], byteLength })),
    buffers: [{ byteLength: data.length }],
  })
  const json = Buffer.from(scene.padEnd(Math.ceil(scene.length / 4) * 4))
  const numbers = (...all: number[]) => Buffer.from(new Uint32Array(all).buffer)
  const chunks = [numbers(json.length, 0x4e4f534a), json, numbers(data.length, 0x004e4942), data]
  const bytes = chunks.reduce((sum, { length }) => sum + length, 12)
  return Buffer.concat([numbers(0x46546c67, 2, bytes), ...chunks])
}

/** Mini apps: earlier runs, whether an app works now, and shared apps. */
export const MINI_APPS: Row[] = [
  {
    proves: 'Mini apps in full: earlier runs fill the form again and link to their jobs',
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => mockSuccess(page, 'GET', RUNS, page1(run('01970000-0000-7000-8000-0000000000b1'))),
    see: async (page) => {
      await expect(runs(page).getByText('Done')).toBeVisible()
      await expect(runs(page).getByRole('link', { name: /^Open the job/ })).toHaveAttribute('href', /^\/jobs\/0197/)
      await useAgain(page).click()
      await expectToast(page, /^The values of that run are filled in/)
      await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
    },
  },
  {
    proves: 'Mini apps in full: a run that may wait is sent as flex, with the time by which it is ready',
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => mockRefusal(page, 'POST', '**/api/general/job/workflow-api/**', 422, 'DEADLINE_NOT_POSSIBLE'),
    see: async (page) => {
      await page.getByRole('button', { name: /^When to run: Now/ }).press('Enter')
      await page.getByRole('radio', { name: /^Later/ }).click()
      await page.getByLabel('Ready by (optional)').fill('07:00')
      const sent = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().includes('/job/workflow-api/'),
      )
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      const terms = new URL((await sent).url()).searchParams
      expect(terms.get('priceClass')).toBe('flex')
      expect(new Date(terms.get('deadline') ?? '').getTime()).toBeGreaterThan(Date.now())
      await expectToast(page, /The run would not be finished by then/)
    },
  },
  {
    proves: 'Results: a 3D model is drawn in the page, and the arrow keys turn it',
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: async (page) => {
      await page.route(`**${MODEL}`, (route) => route.fulfill({ contentType: 'model/gltf-binary', body: pyramid() }))
      const file = { url: MODEL, fileName: 'pyramid.glb', sizeBytes: 800 }
      await mockJob(page, { status: 'Done' }, [{ nodeId: '9', name: '', outputs: { files: [file] } }])
    },
    see: async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await expect(page.getByRole('button', { name: 'pyramid.glb · 800 B' })).toBeVisible()
      await page.getByTestId('model').scrollIntoViewIfNeeded()
      const model = page.getByRole('img', { name: '3D model pyramid.glb' })
      await expect(page.getByText(/^Drag to turn it/)).toBeVisible()
      const before = await model.screenshot()
      await model.press('ArrowLeft')
      await expect.poll(async () => before.equals(await model.screenshot())).toBe(false)
    },
  },
  {
    proves: 'Mini apps in full: a deleted file of an earlier run shows a message',
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    before: async (page) => {
      // The name of the picture field is known when the app has loaded.
      let field = ''
      await page.route(/\/api\/general\/workflow-api\/[0-9a-f-]+$/, async (route) => {
        const answer = await route.fetch()
        const app = (await answer.json()) as { rjsf: { uiSchema: Record<string, { 'ui:widget'?: string }> } }
        field = Object.entries(app.rjsf.uiSchema).find(([, ui]) => ui['ui:widget'] === 'image')?.[0] ?? ''
        await route.fulfill({ response: answer })
      })
      const form = () => ({ [field]: '01970000-0000-7000-8000-0000000000b9' })
      await page.route(RUNS, (route) => route.fulfill({ json: page1(run('b2', { form: form() })) }))
    },
    see: async (page) => {
      await useAgain(page).click()
      await expectToast(page, 'A file from that run is no longer in your files.')
    },
  },
  {
    proves: 'Mini apps in full: a finished run joins the earlier ones',
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    see: async (page) => {
      const links = runs(page).getByRole('link', { name: /^Open the job/ })
      await expect(links.first().or(runs(page).getByText(/You have not run this app yet/))).toBeVisible()
      const before = await links
        .first()
        .getAttribute('href', { timeout: 1000 })
        .catch(() => null)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await expect(page).toHaveURL(/[?&]job=/)
      const job = new URL(page.url()).searchParams.get('job')
      await expect(links.first()).toHaveAttribute('href', `/jobs/${job}`, { timeout: 60_000 })
      expect(`/jobs/${job}`).not.toBe(before)
    },
  },
  {
    proves: 'Mini apps in full: a text file as an input shows its name, its size and its first lines, and is kept',
    who: 'person',
    width: 390,
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, NOTES),
    see: async (page) => {
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await expect(page.getByText('Upload a text file.')).toBeVisible()
      await page.locator('input[type=file]').setInputFiles(textFile('prices.csv', '\ufeffitem,price\r\nboat,1\r\n'))
      const lines = page.getByRole('region', { name: 'First lines of prices.csv' })
      await expect(lines).toHaveText('item,price\nboat,1')
      await expect(page.getByText('prices.csv · 20 B')).toBeVisible()
      await page.getByRole('button', { name: 'Remove text file' }).click()
      await page.getByRole('button', { name: 'My text files' }).click()
      const picker = page.getByRole('dialog', { name: 'My text files' })
      await picker.getByRole('button', { name: 'Preview of prices.csv' }).first().click()
      await expect(picker.getByRole('region', { name: 'Preview of prices.csv' })).toHaveText('item,price\nboat,1')
      await picker.getByRole('button', { name: 'Use prices.csv' }).first().click()
      await expect(lines).toBeVisible()
    },
  },
  {
    proves: 'Mini apps in full: a text file field refuses a file that is no text',
    who: 'person',
    language: 'ko',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, NOTES),
    see: async (page) => {
      await page.locator('input[type=file]').setInputFiles(textFile('prices.csv', Buffer.from([0xff, 0x00, 0x80])))
      await expect(page.getByRole('alert')).toHaveText('텍스트 파일이 아닙니다.')
    },
  },
  {
    proves: 'Mini apps in full: earlier runs that fail to load show a retry',
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: async (page) => {
      await page.route(RUNS, (route) =>
        route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up', requestId: 'r' } }),
      )
    },
    see: (page) => expect(runs(page).getByRole('button', { name: 'Try Again' })).toBeVisible({ timeout: 20_000 }),
  },
  {
    proves: 'Mini apps in full: on a phone the earlier runs are collapsed',
    who: 'person',
    width: 390,
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => mockSuccess(page, 'GET', RUNS, page1(run('01970000-0000-7000-8000-0000000000b1'))),
    see: async (page) => {
      const opener = page.getByRole('button', { name: 'Earlier runs' })
      await expect(opener).toHaveAttribute('aria-expanded', 'false')
      await opener.click()
      await expect(useAgain(page)).toBeVisible()
    },
  },
  {
    proves: 'Works today: a card says when no worker can run its app',
    path: '/apps',
    before: (page) =>
      page.route(/\/api\/public\/mini-app\?/, async (route) => {
        const list = (await (await route.fetch()).json()) as { items: object[] }
        const items = list.items.map((one, at) => ({ ...one, workflowApiWorks: at > 0 }))
        await route.fulfill({ json: { ...list, items } })
      }),
    see: (page) => expect(page.getByRole('article').getByText('Not working now')).toHaveCount(1),
  },
  {
    proves: 'Works today: the list can be filtered by working apps, in the URL',
    path: '/apps',
    see: async (page) => {
      const asked = page.waitForRequest((request) => /mini-app\?.*works=true/.test(request.url()))
      await page.getByRole('switch', { name: 'Works today' }).click()
      await asked
      await expect(page).toHaveURL(/\?works=true$/)
    },
  },
  {
    proves: 'Works today: the page of an app says that it works',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, works(true)),
    see: (page) => expect(page.getByText('Works today', { exact: true })).toBeVisible(),
  },
  {
    proves: 'Works today: the page of an app says that no worker can run it, without details',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, works(false)),
    see: async (page) => {
      await expect(page.getByText('No worker can run this app at the moment.')).toBeVisible()
      await expect(page.getByText('checkpoints/silk.pt')).toHaveCount(0)
    },
  },
  {
    proves: 'Works today: users who can fix it see what is missing',
    who: 'admin',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, works(false)),
    see: async (page) => {
      for (const name of ['Weave', 'checkpoints/silk.pt']) await expect(page.getByText(name)).toBeVisible()
    },
  },
  {
    proves: 'Works today: the texts are Korean on a Korean page',
    language: 'ko',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, works(false)),
    see: (page) => expect(page.getByText('지금 이 앱을 실행할 수 있는 작업 서버가 없습니다.')).toBeVisible(),
  },
  {
    proves: 'Shared with me: a user sees shared apps and who shares them',
    who: 'person',
    path: '/apps',
    before: (page) => mockSuccess(page, 'GET', SHARED, page1(share)),
    see: async (page) => {
      await page.getByRole('tab', { name: 'Shared with me' }).click()
      await expect(page).toHaveURL(/\?tab=shared$/)
      await expect(page.getByRole('link', { name: 'Harbour' })).toHaveAttribute('href', /^\/easy-app\//)
      await expect(page.getByText('Shared by Otto')).toBeVisible()
    },
  },
  {
    proves: 'Shared with me: nothing is shared',
    who: 'person',
    path: '/apps?tab=shared',
    before: (page) => mockSuccess(page, 'GET', SHARED, page1()),
    see: (page) => expect(page.getByText('No apps are shared with you')).toBeVisible(),
  },
  {
    proves: 'Shared with me: a failed removal shows a message',
    who: 'person',
    path: '/apps?tab=shared',
    before: async (page) => {
      await mockSuccess(page, 'GET', SHARED, page1(share))
      await mockRefusal(page, 'DELETE', '**/api/general/workflow-api-shared/*')
    },
    see: async (page) => {
      await page.getByRole('button', { name: 'Remove Harbour from my list' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Remove from my list' }).click()
      await expectToast(page, /^Harbour could not be removed/)
      await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
    },
  },
  {
    proves: 'Shared with me: a guest is asked to sign in',
    path: '/apps?tab=shared',
    see: (page) => expect(page.getByText('Sign in to see what is shared with you')).toBeVisible(),
  },
  {
    proves: 'Shared with me: the app has its form, but no link to its post and no comments',
    who: 'person',
    path: ({ plain }) => `/easy-app/${plain}`,
    before: (page) => changed(page, {}, 'inputs'),
    see: async (page) => {
      await expect(page.getByRole('link', { name: 'Shared with you' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeVisible()
      await expect(page.locator('main a[href^="/workflows/"]')).toHaveCount(0)
      await expect(page.getByRole('region', { name: /^Comments/ })).toHaveCount(0)
    },
  },
]
