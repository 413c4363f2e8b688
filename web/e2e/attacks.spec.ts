import { expect, type Page, test } from '@playwright/test'
import { HTML_ATTACKS, inClass, leftovers, recordFaults } from './attacks'
import { drawPicture, findApp, signUp } from './people'
import { findKnown, sendRequest, settled } from './site-pages'

/** Follows each attack and closes what it left open, so that the next one is independent. */
const END = `"'>-->${'</script></style></textarea></title></xmp></noembed></noframes></iframe></noscript></template></select></svg></math></table></form></object>'.repeat(2)}`
/** Attacks that swallow the rest of a document. */
const SWALLOWS = /<plaintext|<style><!--<\/style>|<mglyph><style><\/math>/
const BATCH = 45
const AT_ONCE = 6
const TAG = '01970000-0000-7000-8000-000000000101'
const PROMPT = {
  output: { 1: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } } },
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: names must not contain them.
const printable = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim()

async function make(page: Page, path: string, data: unknown): Promise<string> {
  const answer = await sendRequest(page, 'post', path, data)
  expect(answer.status(), `${path} ${JSON.stringify(data)}: ${await answer.text()}`).toBe(201)
  return ((await answer.json()) as { _id: string })._id
}

async function upload(page: Page, name: string): Promise<{ status: number; id: string; name: string }> {
  const { buffer } = await drawPicture(page, 32)
  const cookies = await page.context().cookies()
  const token = cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await page.request.post('/api/general/asset/file/image', {
    multipart: { image: { name, mimeType: 'image/png', buffer } },
    headers: { 'X-XSRF-TOKEN': decodeURIComponent(token) },
  })
  const body = (await answer.json()) as { _id: string; name: string }
  return { status: answer.status(), id: body._id, name: body.name }
}

async function open(page: Page, path: string, seen: string[]): Promise<void> {
  await page.goto(path)
  await settled(page)
  seen.push(...(await leftovers(page)).map((what) => `${path}: ${what}`))
}

/** Runs in parallel, in groups: all at once would be rate limited, one by one takes minutes. */
async function each<T>(all: T[], act: (one: T) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += AT_ONCE) await Promise.all(all.slice(from, from + AT_ONCE).map(act))
}

/** Publishes posts with all attacks in their descriptions and one in each title. */
async function publish(page: Page, cases: string[]): Promise<string[]> {
  const picture = (await upload(page, 'a.png')).id
  const posts: string[] = []
  for (let from = 0; from < cases.length; from += BATCH) {
    const batch = cases.slice(from, from + BATCH)
    const description = `${batch.map((attack) => attack + END).join('\n')}<p>the end of ${from}</p>`
    const name = printable(batch[0] ?? '').slice(0, 100) || 'x'
    const id = await make(page, '/api/general/workflow', { name, description, prompt: PROMPT })
    const shown = { thumbnails: [picture], workflowTags: [TAG], isPrivate: false }
    expect((await sendRequest(page, 'patch', `/api/general/workflow/${id}`, shown)).status()).toBe(200)
    posts.push(id)
  }
  return posts
}

test('attacks in titles, descriptions and comments neither run, load nor stay in the page', async ({
  page,
  baseURL,
}) => {
  const seen = await recordFaults(page, new URL(baseURL ?? '').origin)
  await signUp(page)
  const me = ((await (await page.request.get('/api/auth')).json()) as { _id: string })._id
  const cases = HTML_ATTACKS.toSorted((a, b) => Number(SWALLOWS.test(a)) - Number(SWALLOWS.test(b)))
  const posts = await publish(page, cases)
  try {
    let drafts = 0
    await each(cases, async (attack) => {
      const name = printable(attack).slice(0, 100) || 'x'
      const answer = await sendRequest(page, 'post', '/api/general/workflow', {
        name,
        description: attack,
        prompt: PROMPT,
      })
      // A name with hidden characters is refused; everything else is plain text.
      expect([201, 400], name).toContain(answer.status())
      if (answer.status() === 201) drafts += 1
    })
    expect(drafts).toBeGreaterThan(300)
    let comments = 0
    await each(cases, async (attack) => {
      const data = { workflow: posts[0], content: `${attack}<p>.</p>`, depth: 0 }
      const answer = await sendRequest(page, 'post', '/api/general/comment', data)
      // Some are longer than a comment may be.
      expect([201, 400], attack).toContain(answer.status())
      if (answer.status() === 400) return
      comments += 1
      const { content } = (await answer.json()) as { content: string }
      seen.push(...(await leftovers(page, content)).map((what) => `comment ${attack}: ${what}`))
    })
    expect(comments).toBeGreaterThan(300)
    for (const [number, id] of posts.entries()) {
      await open(page, `/workflows/${id}`, seen)
      if (number === posts.length - 1) continue
      await expect(page.locator('[data-user-html]').first()).toContainText(`the end of ${number * BATCH}`)
    }
    const places = ['/workflows', '/notification/history', '/', '/search?q=alert', `/workflows/edit/${posts[0]}`]
    const own = ['workflows', 'workflow-files'].map((tab) => `/profile/${me}/${tab}`)
    for (const path of [...places, ...own]) await open(page, path, seen)
  } finally {
    for (const id of posts) await sendRequest(page, 'delete', `/api/general/workflow/${id}`)
  }
  expect(seen).toEqual([])
})

test('names, contact points, keys and file names are always rendered as text', async ({ page, baseURL }) => {
  const seen = await recordFaults(page, new URL(baseURL ?? '').origin)
  await signUp(page)
  const me = ((await (await page.request.get('/api/auth')).json()) as { _id: string })._id
  let names = 0
  for (const name of inClass('names')) {
    const answer = await sendRequest(page, 'patch', '/api/auth/me/name', { name })
    expect([200, 400], name).toContain(answer.status())
    if (answer.status() === 400) continue
    names += 1
    await open(page, `/profile/${me}/workflows`, seen)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name.trim().normalize('NFC'))
  }
  expect(names).toBeGreaterThan(12)
  const links = inClass('script addresses').map((attack) => /href=["']([^"']*)/.exec(attack)?.[1] ?? attack)
  for (const value of links) {
    const answer = await sendRequest(page, 'post', '/api/general/contact-point', { homepage: { value, order: 0 } })
    expect([200, 400], value).toContain(answer.status())
    if (answer.status() === 400) continue
    const kept = ((await answer.json()) as { homepage?: { value: string } }).homepage?.value ?? 'https://none.example'
    expect(new URL(kept).protocol, value).toMatch(/^https?:$/)
  }
  await open(page, `/profile/${me}/workflows`, seen)
  for (const name of HTML_ATTACKS.slice(0, 12).map((attack) => printable(attack).slice(0, 40))) {
    expect((await sendRequest(page, 'post', '/api/general/api-key', { name })).status()).toBe(201)
  }
  await open(page, '/account?tab=keys', seen)

  let files = 0
  for (const name of inClass('file names')) {
    const kept = await upload(page, name)
    // Text that no form can carry is refused.
    expect([201, 400], name).toContain(kept.status)
    if (kept.status === 400) continue
    files += 1
    // biome-ignore lint/suspicious/noControlCharactersInRegex: file names must not contain them.
    expect(kept.name, name).not.toMatch(/[/\\\u0000-\u001f]|^\./)
    await make(page, '/api/general/input-asset', { asset: kept.id, isPrivate: true })
  }
  expect(files).toBeGreaterThan(25)
  const app = await findApp(page, { image: true })
  await open(page, `/easy-app/${app.id}`, seen)
  await page.getByRole('button', { name: 'My images' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.locator('img').first()).toBeVisible()
  seen.push(...(await leftovers(page)))
  expect(seen).toEqual([])
})

test('attacks in addresses and saved files have no effect', async ({ page, baseURL }) => {
  const seen = await recordFaults(page, new URL(baseURL ?? '').origin)
  const { post } = await findKnown(page)
  const payloads = ['<img src=x onerror=alert(1)>', '"><svg onload=alert(1)>', 'javascript:alert(1)']
  for (const payload of payloads) {
    const word = encodeURIComponent(payload)
    for (const path of [
      `/search?q=${word}`,
      `/search?parentTag=${word}`,
      `/mobile-search?searchInputType=${word}`,
      `/login/google?error=${word}`,
      `/reset-password#code=${word}`,
      `/verify-email#code=${word}`,
      `/workflows/${word}`,
      `/gallery/${word}`,
      `/profile/${word}/${word}`,
      `/workflows/${post}?isUpload=${word}#${word}`,
      `/${word}`,
    ]) {
      await open(page, path, seen)
    }
  }
  await signUp(page)
  // A redirect after sign-in to another site is ignored.
  for (const name of [...inClass('file names'), ...inClass('names')]) {
    const answer = await sendRequest(page, 'post', '/api/general/workflow', { name, description: '', prompt: PROMPT })
    if (answer.status() !== 201) continue
    const { _id } = (await answer.json()) as { _id: string }
    const file = await page.request.get(`/api/general/workflow/${_id}/download`)
    expect(file.status()).toBe(200)
    const header = file.headers()['content-disposition'] ?? ''
    const quoted = /^attachment; filename="([^"\\/]*)"(?:; filename\*=UTF-8''[A-Za-z0-9%!#$&+.^_`|~-]+)?$/.exec(header)
    expect(quoted, `${name} gives ${header}`).not.toBeNull()
    expect(file.headers()['x-content-type-options']).toBe('nosniff')
  }
  expect(seen).toEqual([])
})
