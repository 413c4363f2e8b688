import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'

type Account = { email: string; password: string; role: string }

/** A demo account of the server under test, from the file named in `VERDIGRAPH_ACCOUNTS`. */
export function demoAccount(role: 'Admin' | 'Customer' = 'Customer'): Account {
  const file = process.env.VERDIGRAPH_ACCOUNTS
  if (!file) throw new Error('VERDIGRAPH_ACCOUNTS is not set')
  const accounts = JSON.parse(readFileSync(file, 'utf8')) as Account[]
  const account = accounts.find((one) => one.role === role)
  if (!account) throw new Error(`${file} has no account with the role ${role}`)
  return account
}

export const PASSWORD = 'a long enough password'

export const newAddress = () => `mira-${Date.now()}-${Math.floor(Math.random() * 1e6)}@example.com`

/** Signs up a new user by the API and returns the e-mail address. The form has tests of its own. */
export async function signUp(page: Page, name = 'Mira'): Promise<string> {
  const email = newAddress()
  const agreed = { language: 'en', termsAccepted: true, privacyAccepted: true }
  const data = { email, name, password: PASSWORD, ...agreed }
  const answer = await page.request.post('/api/auth/signup/email-password', { data, headers: await xsrf(page) })
  expect(answer.ok(), `${email} cannot sign up: ${answer.status()}`).toBe(true)
  await rememberSession(page)
  return email
}

/** Makes the next document of a page expect a user, as after the form. Otherwise it begins as a guest's. */
const rememberSession = (page: Page) =>
  page.addInitScript(() => {
    if (sessionStorage.getItem('expectsUser')) return
    sessionStorage.setItem('expectsUser', 'yes')
    localStorage.setItem('vg.signedIn', 'yes')
  })

type Card = { name: string; workflowApi: string }
type Property = { type: string; maximum?: number }
type Form = {
  rjsf: { schema: { properties: Record<string, Property> }; uiSchema: Record<string, { 'ui:widget'?: string }> }
}

type App = { id: string; name: string; form: Form }

/** The app of this card if its form has (or lacks) an image field. */
async function appOf(page: Page, { name, workflowApi }: Card, wanted: { image: boolean }): Promise<App | null> {
  const answer = await page.request.get(`/api/public/workflow-api/${workflowApi}`)
  if (!answer.ok()) return null
  const form = (await answer.json()) as Form
  const hasImage = Object.values(form.rjsf.uiSchema).some((field) => field?.['ui:widget'] === 'image')
  return hasImage === wanted.image ? { id: workflowApi, name, form } : null
}

/** The cards of the apps that earlier tests of this process have found on its server. They are looked at first. */
const found = new Map<boolean, Card>()

/** A published mini app whose form has (or lacks) an image field. */
export async function findApp(page: Page, wanted: { image: boolean }): Promise<App> {
  const known = found.get(wanted.image)
  const again = known && (await appOf(page, known, wanted))
  if (again) return again
  const list = await page.request.get('/api/public/mini-app?limit=50')
  expect(list.ok()).toBe(true)
  const { items } = (await list.json()) as { items: Card[] }
  for (const card of items) {
    const app = await appOf(page, card, wanted)
    if (!app) continue
    found.set(wanted.image, card)
    return app
  }
  throw new Error(`no published mini app ${wanted.image ? 'with' : 'without'} an image field among ${items.length}`)
}

/** The XSRF header of unsafe requests. */
export async function xsrf(page: Page): Promise<Record<string, string>> {
  const cookies = await page.context().cookies()
  const token = cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  return { 'X-XSRF-TOKEN': decodeURIComponent(token) }
}

/** Marks the open document, so that `isReplaced` can tell when the page has loaded itself again. */
export const markDocument = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }).marked)

/** Waits until the page has left the marked document. A reload or a script would meet the navigation before. */
export const isReplaced = (page: Page) => page.waitForFunction(() => !('marked' in window))

/** Creates a private workflow of the signed-in user. */
export async function makeDraft(page: Page): Promise<string> {
  const prompt = {
    output: { 1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } } },
  }
  const data = { name: 'A draft', description: '<p>Words</p>', prompt }
  const answer = await page.request.post('/api/general/workflow', { data, headers: await xsrf(page) })
  expect(answer.status()).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

/** Creates a published workflow of the signed-in user, with a picture and a tag. */
export async function makePost(page: Page, name: string): Promise<string> {
  const id = await makeDraft(page)
  const headers = await xsrf(page)
  const multipart = { image: await drawPicture(page, 256) }
  const sent = await page.request.post('/api/general/asset/file/image', { multipart, headers })
  expect(sent.status()).toBe(201)
  const { _id } = (await sent.json()) as { _id: string }
  const data = { name, thumbnails: [_id], workflowTags: ['01970000-0000-7000-8000-000000000101'], isPrivate: false }
  const answer = await page.request.patch(`/api/general/workflow/${id}`, { data, headers })
  expect(answer.status()).toBe(200)
  return id
}

/** Queues jobs of the signed-in user, so that the next one has to wait. */
export async function fillQueue(page: Page, app: string, jobs: number): Promise<void> {
  const headers = await xsrf(page)
  for (let job = 0; job < jobs; job += 1) {
    const answer = await page.request.post(`/api/general/job/workflow-api/${app}`, { data: {}, headers })
    expect(answer.status()).toBe(201)
  }
}

/** The smallest PNG, for forms that require a picture. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * A picture file drawn by the browser: a gradient with a disc. Each one differs, because a hidden picture is blocked by
 * its bytes.
 */
export async function drawPicture(page: Page, size = 512): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await page.evaluate((side) => {
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    const sky = context.createLinearGradient(0, 0, side, side)
    sky.addColorStop(0, '#204a87')
    sky.addColorStop(1, '#f4a261')
    context.fillStyle = sky
    context.fillRect(0, 0, side, side)
    context.fillStyle = `hsl(${Math.random() * 360} 80% 80%)`
    context.arc(side * (0.4 + Math.random() / 5), side / 2, side / 4, 0, 7)
    context.fill()
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  }, size)
  return { name: 'boat at dusk.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') }
}

/** Fills in a new picture in the form of a mini app, runs it and opens its result in full. */
export async function openResult(page: Page, size: number): Promise<void> {
  const picture = await drawPicture(page, size)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  await expect(page.getByAltText(/^Chosen picture /).first()).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Open picture 1 in full' }).click({ timeout: 60_000 })
}
