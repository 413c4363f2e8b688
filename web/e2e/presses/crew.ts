import { type APIResponse, type Browser, type BrowserContext, expect } from '@playwright/test'
import { linkFor } from '../mail'
import { demoAccount, PASSWORD } from '../people'

/** Somebody who is signed in, and a way to ask the server as them. */
export type Person = { context: BrowserContext; id: string; name: string; email: string }

/** Who the rows are about. */
export type Crew = {
  member: Person
  /** Somebody else with a post, who comments, is blocked and is reported. */
  other: Person
  spare: Person
  /** Whom admins warn and ban. */
  target: Person
  admin: Person
  /** A browser that nobody is signed in with. */
  guest: BrowserContext
  /** Published posts of the member and of the other. */
  ownPost: string
  othersPost: string
  /** A mini app that wants no file. */
  app: string
  /** One that wants a picture. */
  pictureApp: string
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The header that unsafe requests carry. */
export async function xsrf({ context }: Pick<Person, 'context'>): Promise<Record<string, string>> {
  const cookies = await context.cookies()
  const token = cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  return { 'X-XSRF-TOKEN': decodeURIComponent(token) }
}

/** Asks the server as somebody, and expects it to agree. */
export async function call<Answer = unknown>(
  { context }: Pick<Person, 'context'>,
  method: Method,
  path: string,
  data?: unknown,
): Promise<Answer> {
  const headers = await xsrf({ context })
  const answer = await context.request[method](path, { headers, ...(data !== undefined && { data }) })
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await said(answer)}`).toBe(true)
  return (answer.headers()['content-type']?.includes('json') ? await answer.json() : undefined) as Answer
}
const said = async (answer: APIResponse) => (answer.ok() ? '' : (await answer.text()).slice(0, 300))

/** Somebody new, in a browser of their own. */
export async function join(browser: Browser, name: string, confirmed = true): Promise<Person> {
  const context = await browser.newContext()
  const email = `${name.toLowerCase()}-${Date.now()}-${Math.floor(Math.random() * 1e6)}@example.com`
  const agreed = { language: 'en', termsAccepted: true, privacyAccepted: true }
  const data = { email, name, password: PASSWORD, ...agreed }
  const { _id } = await call<{ _id: string }>({ context }, 'post', '/api/auth/signup/email-password', data)
  const person = { context, id: _id, name, email }
  if (confirmed) {
    const code = new URL(await linkFor(email, 'verify-email')).hash.slice('#code='.length)
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

/** A picture that no other is like: a bitmap of noise, which needs no encoder. */
export function noise(side = 96): Buffer {
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

/** Uploads a picture as somebody; gives its id. */
export async function upload({ context }: Person, name = 'noise.bmp'): Promise<string> {
  const multipart = { image: { name, mimeType: 'image/bmp', buffer: noise() } }
  const headers = await xsrf({ context })
  const answer = await context.request.post('/api/general/asset/file/image', { multipart, headers })
  expect(answer.status(), await said(answer)).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

let drafts = 0

/** A private workflow of somebody. Each has a graph of its own: of one that a moderator hides, all the same stay hidden. */
export async function draft(person: Person, name: string): Promise<string> {
  drafts += 1
  const color = (Date.now() + drafts) % 16_777_216
  const prompt = {
    output: { 1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color } } },
  }
  const body = { name, description: '<p>Words</p>', prompt }
  return (await call<{ _id: string }>(person, 'post', '/api/general/workflow', body))._id
}

/** A published one, with a picture and a tag. */
export async function post(person: Person, name: string): Promise<string> {
  const id = await draft(person, name)
  const thumbnails = [await upload(person)]
  const workflowTags = ['01970000-0000-7000-8000-000000000101']
  await call(person, 'patch', `/api/general/workflow/${id}`, { thumbnails, workflowTags, isPrivate: false })
  return id
}

/** Says something below a workflow; gives the comment's id. */
export const comment = async (person: Person, workflow: string, words: string): Promise<string> =>
  (await call<{ _id: string }>(person, 'post', '/api/general/comment', { workflow, content: `<p>${words}</p>` }))._id

type AppCard = { workflowApi: string }
type AppForm = { rjsf: { uiSchema: Record<string, { 'ui:widget'?: string }> } }

/** Published mini apps: one without a file in its form, and one with a picture. */
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
  throw new Error('there are no published mini apps with and without a picture')
}

/** Runs an app as somebody until there are pictures. */
async function makePictures(person: Person, app: string, count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await call(person, 'post', `/api/general/job/workflow-api/${app}`, {})
  const pictures = async () => (await mine(person)).length
  await expect.poll(pictures, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
}

/** The pictures that somebody has made, newest first. */
export const mine = async (person: Person): Promise<{ _id: string; isPrivate: boolean }[]> =>
  (await call<{ items: { _id: string; isPrivate: boolean }[] }>(person, 'get', '/api/general/output-asset/my?limit=60'))
    .items

export async function gather(browser: Browser): Promise<Crew> {
  const { email, password } = demoAccount('Admin')
  const [member, other, target, spare, admin, guest] = await Promise.all([
    join(browser, 'Mira'),
    join(browser, 'Otto'),
    join(browser, 'Tara'),
    join(browser, 'Sven', false),
    browser.newContext().then((context) => signIn(context, email, password)),
    browser.newContext(),
  ])
  const name = String(Date.now())
  const [ownPost, othersPost, found] = await Promise.all([
    post(member, `Mira ${name}`),
    post(other, `Otto ${name}`),
    apps(member),
  ])
  await makePictures(member, found.app, 4)
  return { member, other, target, spare, admin, guest, ownPost, othersPost, ...found }
}

export const part = async (crew: Crew): Promise<void> => {
  for (const one of [
    crew.member.context,
    crew.other.context,
    crew.target.context,
    crew.spare.context,
    crew.admin.context,
    crew.guest,
  ])
    await one.close()
}
