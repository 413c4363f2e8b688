import { expect, type Page } from '@playwright/test'
import { FILES_DATABASE } from '../../src/shared/lib/storage'
import { demoAccount, drawPicture, findApp, PIXEL } from '../people'
import { expectToast, JOB, mockJob, mockRefusal, type Row, RUN } from './row'

const REMOVER = '/easy-app/background-remover'
const SWAP = '/easy-app/face-swap'
const PROMPT = '/easy-app/image-to-prompt'
const MISSING = ['ReActorFaceSwap', 'insightface/inswapper_128.onnx']

type State = 'Ready' | 'Waiting' | 'Unbound'
type Bound = { state?: State; missing?: string[] }

/** Binds an app with a picture field to each address, or to none. */
async function bind(page: Page, { state = 'Ready', missing = [] }: Bound = {}): Promise<void> {
  const app = state === 'Unbound' ? null : (await findApp(page, { image: true })).id
  const bound = (address: string) => ({
    address,
    state,
    workflow: app,
    workflowApi: app,
    name: app && 'Cutout',
    nameKo: null,
    missing,
  })
  const addresses = [REMOVER, SWAP, PROMPT].map((path) => path.slice('/easy-app/'.length))
  await page.route('**/api/public/simple-app', (route) => route.fulfill({ json: { items: addresses.map(bound) } }))
  await page.route('**/api/public/simple-app/*', (route) =>
    route.fulfill({ json: bound(new URL(route.request().url()).pathname.split('/').pop() ?? '') }),
  )
}

/** Gives the bound app a second picture field, for the face. */
const withFace = (page: Page) =>
  page.route(/\/api\/(general|public)\/workflow-api\/[0-9a-f-]+$/, async (route) => {
    const app = (await (await route.fetch()).json()) as {
      rjsf: { schema: { properties: Record<string, object> }; uiSchema: Record<string, object> }
    }
    app.rjsf.schema.properties.face = { type: 'string', title: 'Face' }
    app.rjsf.uiSchema.face = { 'ui:widget': 'image' }
    await route.fulfill({ json: app })
  })

const press = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name }).click()
const add = async (page: Page, field = 'pictures') =>
  page.getByTestId(`${field}-file`).setInputFiles(await drawPicture(page, 256))
const list = (page: Page) => page.getByRole('region', { name: 'Your pictures' })
/** Whether the browser has stored the file of an added picture, so that it survives a reload. */
const isStored = (page: Page, name: string) =>
  page.evaluate(
    ([database, name]) =>
      new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open(database)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const reading = opening.result.transaction('files').objectStore('files').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            resolve((reading.result as { file: File }[]).some(({ file }) => file.name === name))
          }
          reading.onerror = () => reject(reading.error)
        }
      }),
    [FILES_DATABASE, name] as const,
  )
const runRequest = (page: Page) =>
  page.waitForRequest((request) => request.method() === 'POST' && /job\/workflow-api/.test(request.url()))
const remove = (page: Page) => press(page, 'Remove the background')

/** Simple apps: the pages with one purpose at fixed addresses. */
export const SIMPLE_APPS: Row[] = [
  {
    proves: '1 §1 simple one-purpose apps: background remover, face swap, image to prompt',
    path: '/',
    before: (page) => bind(page),
    see: async (page) => {
      const cards = page.getByRole('region', { name: 'Simple apps' }).getByRole('link')
      await expect(cards).toHaveCount(3)
      for (const [at, path] of [REMOVER, SWAP, PROMPT].entries())
        await expect(cards.nth(at)).toHaveAttribute('href', path)
    },
  },
  {
    proves: '1 §2 home opens easy-app pages from here',
    path: '/',
    before: (page) => bind(page),
    see: async (page) => {
      const cards = page.getByRole('region', { name: 'Simple apps' })
      await cards.getByRole('link', { name: /^Background remover/ }).click()
      await expect(page).toHaveURL(new RegExp(`${REMOVER}$`))
      await expect(page.getByRole('heading', { level: 1, name: 'Background remover' })).toBeVisible()
    },
  },
  {
    proves: 'Simple apps: the page that creates pictures has them too, and marks those that no worker can run',
    path: '/create/image',
    before: (page) => bind(page, { state: 'Waiting' }),
    see: (page) =>
      expect(page.getByRole('region', { name: 'Simple apps' }).getByText('Not working now')).toHaveCount(3),
  },
  {
    proves: 'Simple apps: price and time stand beside Run',
    path: REMOVER,
    before: (page) => bind(page),
    see: (page) => expect(page.getByRole('main').getByText(/\d+ credits?\b.* · /)).toBeVisible(),
  },
  {
    proves: '1 §4 easy-app image generation: uploading, requesting, generating, complete',
    who: 'person',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      let upload = () => {}
      let request = () => {}
      const uploads = new Promise<void>((done) => {
        upload = done
      })
      const requests = new Promise<void>((done) => {
        request = done
      })
      await page.route('**/api/general/asset/file/image', async (route) => {
        await uploads
        await route.fallback()
      })
      await page.route(RUN, async (route) => {
        await requests
        await route.fallback()
      })
      await add(page)
      await expect(list(page).getByText(/^Uploading/)).toBeVisible()
      await remove(page)
      upload()
      await expect(list(page).getByText('Requesting...')).toBeVisible()
      request()
      await expect(list(page).getByText(/^(Generating\.\.\.|Complete)$/)).toBeVisible()
      await expect(list(page).getByText('Complete')).toBeVisible({ timeout: 60_000 })
      await expect(list(page).getByRole('slider', { name: 'Border between input and result' })).toBeVisible()
      await expect(list(page).getByText('1 of 1 finished')).toBeVisible()
    },
  },
  {
    proves: '1 §4 a no-credit prompt appears on exhaustion; 1 §8 out of credits: see plans or later',
    who: 'person',
    path: REMOVER,
    before: async (page) => {
      await bind(page)
      await mockRefusal(page, 'POST', RUN, 402, 'OUT_OF_CREDITS')
    },
    see: async (page) => {
      await add(page)
      await remove(page)
      await expect(page.getByText('You are out of credits')).toBeVisible()
      await expect(page.getByRole('link', { name: 'See plans' })).toBeVisible()
      await press(page, 'Later')
      await expect(page.getByText('You are out of credits')).toHaveCount(0)
      await expect(list(page).getByText('Ready to run')).toBeVisible()
    },
  },
  {
    proves: "1 §5 easy apps require an uploaded image ('please upload an image')",
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      await remove(page)
      await expect(page.getByRole('alert').filter({ hasText: 'Please upload an image' })).toBeVisible()
    },
  },
  {
    proves: "1 §5 easy apps require an uploaded image ('please upload an image')",
    language: 'ko',
    path: SWAP,
    before: async (page) => {
      await bind(page)
      await withFace(page)
    },
    see: async (page) => {
      await press(page, '얼굴 바꾸기')
      await expect(page.getByRole('alert').filter({ hasText: '이미지를 업로드해주세요' })).toHaveCount(2)
    },
  },
  {
    proves: '1 §5 uploads of easy apps are pictures of at most 20 MB',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      const large = Buffer.alloc(20_971_521)
      await page.getByTestId('pictures-file').setInputFiles([
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
        { name: 'large.png', mimeType: 'image/png', buffer: large },
      ])
      await expect(page.getByText('notes.txt: This file is not a picture.')).toBeVisible()
      await expect(page.getByText('large.png: File size must not exceed 20MB.')).toBeVisible()
      await expect(list(page)).toHaveCount(0)
    },
  },
  {
    proves: '1 §8 easy-app error: something went wrong, try again, share the Job ID with support',
    who: 'person',
    path: REMOVER,
    before: async (page) => {
      await bind(page)
      await mockJob(page, { status: 'ExecuteError', executeException: { exception_message: 'made up' } })
    },
    see: async (page) => {
      await add(page)
      await remove(page)
      await expect(
        list(page).getByText('Something went wrong. Try again, or share the Job ID with support.'),
      ).toBeVisible()
      await expect(list(page).getByText(JOB)).toBeVisible()
      const again = runRequest(page)
      await list(page).getByRole('button', { name: 'Try again' }).click()
      await again
    },
  },
  {
    proves: '1 §3 image to prompt gives text, which can be copied and used as a prompt',
    who: 'person',
    path: PROMPT,
    before: async (page) => {
      await bind(page)
      await mockJob(page, { status: 'Done' }, [{ nodeId: '9', name: '', outputs: { text: ['warm dusk, soft light'] } }])
    },
    see: async (page) => {
      await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
      await add(page)
      await press(page, 'Describe the picture')
      await expect(list(page).getByText('warm dusk, soft light')).toBeVisible()
      await list(page).getByRole('button', { name: 'Copy text' }).click()
      await expectToast(page, /warm dusk, soft light/)
      await list(page).getByRole('link', { name: 'Use as prompt' }).click()
      await expect(page.getByRole('textbox', { name: 'What do you want to make?' })).toHaveValue(
        'warm dusk, soft light',
      )
    },
  },
  {
    proves: '1 §1 face swap takes two pictures: a picture and a face',
    who: 'person',
    path: SWAP,
    before: async (page) => {
      await bind(page)
      await withFace(page)
      await mockJob(page, { status: 'Running' })
    },
    see: async (page) => {
      await add(page, 'target')
      await add(page, 'face')
      const sent = runRequest(page)
      await press(page, 'Swap the face')
      const form = (await sent).postDataJSON() as Record<string, unknown>
      expect(form.face).toMatch(/^[0-9a-f-]{36}$/)
      await expect(list(page).getByText('Generating...')).toBeVisible()
    },
  },
  {
    proves: 'Simple apps: at most 20 pictures at once, the first 20 are kept',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      const files = Array.from({ length: 22 }, (_, at) => ({ name: `${at}.png`, mimeType: 'image/png', buffer: PIXEL }))
      await page.getByTestId('pictures-file').setInputFiles(files)
      await expect(page.getByText(/^At most 20 pictures at once\..*2 pictures were left out/)).toBeVisible()
      await expect(list(page).getByRole('listitem')).toHaveCount(20)
    },
  },
  {
    proves: 'Simple apps: a guest is asked to sign in, and loses nothing',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      await add(page)
      await press(page, 'Sign in to run')
      await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
      // The files also survive leaving the page for another site's sign-in.
      await expect.poll(() => isStored(page, 'boat at dusk.png')).toBe(true)
      await page.reload()
      await expect(list(page).getByText('boat at dusk.png')).toBeVisible()
      await press(page, 'Sign in to run')
      const { email, password } = demoAccount()
      const dialog = page.getByRole('dialog', { name: 'Welcome back' })
      await dialog.getByLabel('E-mail').fill(email)
      await dialog.getByLabel('Password', { exact: true }).fill(password)
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
      await expect(dialog).toHaveCount(0)
      // The page has changed to the language of the account.
      const runs = page.getByRole('region', { name: /^(Your pictures|내가 넣은 이미지)$/ })
      await expect(runs.getByText('boat at dusk.png')).toBeVisible()
      await press(page, /^(Remove the background|이미지 1장 배경 제거)$/)
      await expect(runs.getByText(/^(Complete|완료)$/)).toBeVisible({ timeout: 60_000 })
      await page.context().clearCookies()
      await page.evaluate(() => localStorage.removeItem('vg.signedIn'))
    },
  },
  {
    proves: 'Simple apps: a reload finds the jobs of the page again',
    who: 'person',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      await add(page)
      await remove(page)
      await expect(list(page).getByText(/^(Generating\.\.\.|Complete)$/)).toBeVisible()
      await page.reload()
      await expect(list(page).getByText('boat at dusk.png')).toBeVisible()
      await expect(list(page).getByText('Complete')).toBeVisible({ timeout: 60_000 })
    },
  },
  {
    proves: 'Simple apps: a reload in the middle of an upload loses no run that was started',
    who: 'person',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      let isHeld = true
      await page.route('**/api/general/asset/file/image', (route) => (isHeld ? undefined : route.fallback()))
      await add(page)
      await expect(list(page).getByText(/^Uploading/)).toBeVisible()
      await remove(page)
      await expect.poll(() => isStored(page, 'boat at dusk.png')).toBe(true)
      isHeld = false
      await page.reload()
      await expect(list(page).getByText('Complete')).toBeVisible({ timeout: 60_000 })
      await expect(list(page).getByRole('listitem')).toHaveCount(1)
    },
  },
  {
    proves: 'Simple apps: of many pictures those that failed are counted and tried again together',
    who: 'person',
    path: REMOVER,
    before: async (page) => {
      await bind(page)
      await mockRefusal(page, 'POST', RUN, 422, 'INVALID_PROMPT')
    },
    see: async (page) => {
      await add(page)
      await add(page)
      await press(page, 'Remove 2 backgrounds')
      await expect(list(page).getByText('0 of 2 finished · 2 failed')).toBeVisible()
      const again = runRequest(page)
      await list(page).getByRole('button', { name: 'Try 2 failed pictures again' }).click()
      await again
    },
  },
  {
    proves: 'Simple apps: an app that is unbound while its page is open leaves the pictures on it',
    who: 'person',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      await mockRefusal(page, 'POST', RUN, 404, 'NOT_FOUND')
      await add(page)
      await expect(page.getByRole('button', { name: 'Remove the background' })).toBeVisible()
      await page.route('**/api/public/simple-app/*', (route) =>
        route.fulfill({
          json: { address: 'background-remover', state: 'Unbound', workflow: null, workflowApi: null, missing: [] },
        }),
      )
      await remove(page)
      await expect(page.getByRole('region', { name: 'This app is not set up here yet' })).toBeVisible()
      await expect(list(page).getByText('boat at dusk.png')).toBeVisible()
    },
  },
  {
    proves: 'Simple apps: all results are downloaded as one ZIP',
    who: 'person',
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      // Without a file dialog the browser saves the archive itself.
      await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
      await add(page)
      await add(page)
      await press(page, 'Remove 2 backgrounds')
      await expect(list(page).getByText('2 of 2 finished')).toBeVisible({ timeout: 60_000 })
      const saved = page.waitForEvent('download')
      await list(page).getByRole('button', { name: 'Download all' }).click()
      expect((await saved).suggestedFilename()).toMatch(/\.zip$/)
    },
  },
  {
    proves: 'Simple apps: without a worker that has what it needs, the page names it and asks the operators',
    who: 'person',
    path: SWAP,
    before: (page) => bind(page, { state: 'Waiting', missing: MISSING }),
    see: async (page) => {
      const notice = page.getByRole('region', { name: 'This app cannot run at the moment' })
      for (const name of MISSING) await expect(notice.getByText(name, { exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Swap the face' })).toHaveCount(0)
      await notice.getByRole('button', { name: 'Ask for it' }).first().click()
      await expect(notice.getByText('Requested')).toBeVisible()
    },
  },
  {
    proves: 'Simple apps: without a bound app, admins are told what to set up',
    who: 'admin',
    path: SWAP,
    before: (page) => bind(page, { state: 'Unbound' }),
    see: async (page) => {
      const notice = page.getByRole('region', { name: 'This app is not set up here yet' })
      await expect(notice.getByText(/bind it to this page/)).toBeVisible()
      await notice.getByRole('link', { name: 'Open the list of workers' }).click()
      await expect(page).toHaveURL(/\/admin$/)
    },
  },
  {
    proves: 'Simple apps: on a phone the run button stays in reach',
    who: 'person',
    width: 390,
    path: REMOVER,
    before: (page) => bind(page),
    see: async (page) => {
      await add(page)
      await expect(page.getByRole('button', { name: 'Remove the background' })).toBeInViewport()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    },
  },
]
