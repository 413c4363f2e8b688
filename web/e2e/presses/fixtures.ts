import { type APIResponse, type Browser, type BrowserContext, expect } from '@playwright/test'
import { confirmationCode } from '../mail'
import { demoAccount, PASSWORD } from '../people'

/** A signed-in user and a context that sends requests as this user. */
export type Person = { context: BrowserContext; id: string; name: string; email: string }

/** The users and content that the rows use. */
export type Fixtures = {
  member: Person
  /** Another user with a post, who comments, is blocked and is reported. */
  other: Person
  spare: Person
  /** The user whom admins warn and ban. */
  target: Person
  admin: Person
  /** A browser without a session. */
  guest: BrowserContext
  /** Published posts of `member` and `other`. */
  ownPost: string
  othersPost: string
  /** A mini app without a file field. */
  app: string
  /** A mini app with a picture field. */
  pictureApp: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The XSRF header of unsafe requests. */
export async function xsrf({ context }: Pick<Person, 'context'>): Promise<Record<string, string>> {
  const cookies = await context.cookies()
  const token = cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  return { 'X-XSRF-TOKEN': decodeURIComponent(token) }
}

/** Sends a request as a user and expects success. */
export async function call<Answer = unknown>(
  { context }: Pick<Person, 'context'>,
  method: Method,
  path: string,
  data?: unknown,
): Promise<Answer> {
  const headers = await xsrf({ context })
  const answer = await context.request[method](path, { headers, ...(data !== undefined && { data }) })
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await errorText(answer)}`).toBe(true)
  return (answer.headers()['content-type']?.includes('json') ? await answer.json() : undefined) as Answer
}
const errorText = async (answer: APIResponse) => (answer.ok() ? '' : (await answer.text()).slice(0, 300))

/** The entries of a list, as a user reads it. */
export const items = async <Item>(one: Person, path: string) => (await call<{ items: Item[] }>(one, 'get', path)).items

/** Words that no earlier row has written. */
export const fresh = (words: string) => `${words} ${Date.now()}`

/** Signs up a new user in a separate browser. */
export async function join(browser: Browser, name: string, confirmed = true): Promise<Person> {
  const context = await browser.newContext()
  const email = `${name.toLowerCase()}-${Date.now()}-${Math.floor(Math.random() * 1e6)}@example.com`
  const agreed = { language: 'en', termsAccepted: true, privacyAccepted: true }
  const data = { email, name, password: PASSWORD, ...agreed }
  const { _id } = await call<{ _id: string }>({ context }, 'post', '/api/auth/signup/email-password', data)
  const person = { context, id: _id, name, email }
  if (confirmed) {
    const code = await confirmationCode(email)
    await call(person, 'post', '/api/auth/verify-email', { code })
  }
  return person
}

export async function signIn(context: BrowserContext, email: string, password: string): Promise<Person> {
  const { _id, name } = await call<{ _id: string; name: string }>(
    { context },
    'post',
    '/api/auth/login/email-password',
    { email, password },
  )
  return { context, id: _id, name, email }
}

/** Signs in the admin of the demo content. A test that was stopped may have left the account in another language. */
async function signInAdmin(browser: Browser): Promise<Person> {
  const { email, password } = demoAccount('Admin')
  const admin = await signIn(await browser.newContext(), email, password)
  await call(admin, 'patch', '/api/auth/me/language', { language: 'en' })
  return admin
}

/** A unique picture: a bitmap of noise, which needs no encoder. */
export function noiseBitmap(side = 96): Buffer {
  const pixels = Buffer.from(Array.from({ length: side * side * 3 }, () => Math.floor(Math.random() * 256)))
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(54 + pixels.length, 2)
  head.writeUInt32LE(54, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(side, 18)
  head.writeInt32LE(side, 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(24, 28)
  head.writeUInt32LE(pixels.length, 34)
  return Buffer.concat([head, pixels])
}

/** Uploads a picture and returns its id. */
export async function upload({ context }: Person, name = 'noise.bmp'): Promise<string> {
  const multipart = { image: { name, mimeType: 'image/bmp', buffer: noiseBitmap() } }
  const headers = await xsrf({ context })
  const answer = await context.request.post('/api/general/asset/file/image', { multipart, headers })
  expect(answer.status(), await errorText(answer)).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

let drafts = 0

/** Creates a private workflow. Each has a unique graph: when a moderator hides one, copies of its graph stay hidden. */
export async function draft(person: Person, name: string): Promise<string> {
  drafts += 1
  const color = (Date.now() + drafts) % 16_777_216
  const prompt = {
    output: { 1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color } } },
  }
  const body = { name, description: '<p>Words</p>', prompt }
  return (await call<{ _id: string }>(person, 'post', '/api/general/workflow', body))._id
}

/** Creates a published workflow with a picture and a tag. */
export async function post(person: Person, name: string): Promise<string> {
  const id = await draft(person, name)
  const thumbnails = [await upload(person)]
  const workflowTags = ['01970000-0000-7000-8000-000000000101']
  await call(person, 'patch', `/api/general/workflow/${id}`, { thumbnails, workflowTags, isPrivate: false })
  return id
}

/** Comments on a workflow and returns the comment's id. */
export const comment = async (person: Person, workflow: string, words: string): Promise<string> =>
  (await call<{ _id: string }>(person, 'post', '/api/general/comment', { workflow, content: `<p>${words}</p>` }))._id

type AppCard = { workflowApi: string }
type AppForm = { rjsf: { uiSchema: Record<string, { 'ui:widget'?: string }> } }

/** Published mini apps: one without a file field and one with a picture field. */
async function apps(person: Person): Promise<{ app: string; pictureApp: string }> {
  const { items } = await call<{ items: AppCard[] }>(person, 'get', '/api/public/mini-app?limit=50')
  const found: { app?: string; pictureApp?: string } = {}
  for (const { workflowApi } of items) {
    const { rjsf } = await call<AppForm>(person, 'get', `/api/public/workflow-api/${workflowApi}`)
    const widgets = Object.values(rjsf.uiSchema).map((field) => field?.['ui:widget'])
    if (widgets.includes('image')) found.pictureApp ??= workflowApi
    else found.app ??= workflowApi
    if (found.app && found.pictureApp) return found as { app: string; pictureApp: string }
  }
  throw new Error('no published mini apps with and without a picture field')
}

/** Runs an app until there are this many pictures. */
async function makePictures(person: Person, app: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await call(person, 'post', `/api/general/job/workflow-api/${app}`, {})
  const pictures = async () => (await picturesOf(person)).length
  await expect.poll(pictures, { timeout: 60_000, intervals: [100] }).toBeGreaterThanOrEqual(count)
}

/** The user's pictures, newest first. */
export const picturesOf = async (person: Person): Promise<{ _id: string; isPrivate: boolean }[]> =>
  (await call<{ items: { _id: string; isPrivate: boolean }[] }>(person, 'get', '/api/general/output-asset/my?limit=60'))
    .items

/** Creates the users and their posts, and for tests that look at them some pictures of `member`. */
export async function createFixtures(browser: Browser, pictures = 0): Promise<Fixtures> {
  const [member, other, target, spare, admin, guest] = await Promise.all([
    join(browser, 'Mira'),
    join(browser, 'Otto'),
    join(browser, 'Tara'),
    join(browser, 'Sven', false),
    signInAdmin(browser),
    browser.newContext(),
  ])
  const name = String(Date.now())
  const [ownPost, othersPost, found] = await Promise.all([
    post(member, `Mira ${name}`),
    post(other, `Otto ${name}`),
    apps(member),
  ])
  if (pictures > 0) await makePictures(member, found.app, pictures)
  // A blank page keeps the process of a context, in which the scripts are compiled, until the next page opens.
  for (const context of [member.context, spare.context, admin.context, guest]) await context.newPage()
  return { member, other, target, spare, admin, guest, ownPost, othersPost, ...found }
}

export const closeFixtures = async (fixtures: Fixtures): Promise<void> => {
  for (const one of [
    fixtures.member.context,
    fixtures.other.context,
    fixtures.target.context,
    fixtures.spare.context,
    fixtures.admin.context,
    fixtures.guest,
  ])
    await one.close()
}
