import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { fits, LONG_FILE, WINDOWS } from './fits'
import {
  call,
  closeFixtures,
  comment,
  createFixtures,
  type Fixtures,
  noiseBitmap,
  picturesOf,
  upload,
} from './presses/fixtures'

/** Network failures and other tabs in the middle of an action. */
let fixtures: Fixtures
test.beforeAll(async ({ browser }) => {
  fixtures = await createFixtures(browser, 4)
})
test.afterAll(() => closeFixtures(fixtures))

const open = async (context: BrowserContext, path: string) => {
  const page = await context.newPage()
  await page.goto(path)
  return page
}
const say = async (page: Page, words: string) => {
  await page.getByRole('button', { name: 'Say something about it…' }).click()
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeFocused()
  await page.keyboard.insertText(words)
}
const post = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })
/** Presses Post if it can be pressed. */
const press = (page: Page) => post(page).click({ timeout: 2000 })
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const commentWith = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words })
const below = async (words: string) => {
  const path = `/api/public/comment/workflow/${fixtures.othersPost}?page=1&limit=20`
  const { items } = await call<{ items: { content: string }[] }>(fixtures.member, 'get', path)
  return items.filter(({ content }) => content.includes(words)).length
}
const BANNER = 'Everything continues when it is back.'

for (const viewport of WINDOWS) {
  test(`pictures that fail once load at the second try, ${viewport.width} px wide`, async () => {
    const { member, guest, othersPost } = fixtures
    await call(member, 'patch', '/api/auth/me/profile', { assetId: await upload(member) })
    await comment(member, othersPost, `With a face ${viewport.width}`)
    const [picture] = await picturesOf(member)
    const jobs = await call<{ items: { _id: string; status: string }[] }>(member, 'get', '/api/general/job?limit=20')
    const job = jobs.items.find(({ status }) => status === 'Done')?._id
    const look = async (context: BrowserContext, path: string) => {
      const page = await context.newPage()
      await page.setViewportSize(viewport)
      const failed = new Set<string>()
      await page.route('**/media/**', (route) => {
        const url = route.request().url()
        if (failed.has(url)) return route.continue()
        failed.add(url)
        return route.abort()
      })
      await page.goto(path)
      const count = { message: `${path} shows no picture`, intervals: [50] }
      await expect.poll(() => failed.size, count).toBeGreaterThan(0)
      // Only visible images: others load when they come near.
      const lost = () =>
        page.evaluate(() =>
          [...document.querySelectorAll('img')]
            .filter((image) => {
              const { top, bottom, width } = image.getBoundingClientRect()
              return width > 0 && bottom > 0 && top < window.innerHeight && image.naturalWidth === 0
            })
            .map((image) => image.src),
        )
      await expect.poll(lost, { message: path }).toEqual([])
      await expect(page.locator('img').first()).toBeAttached()
      await page.close()
    }
    // Two at a time: a page waits before it loads a failed picture again.
    for (const [ofGuest, ofMember] of [
      ['/gallery', '/pictures'],
      ['/workflows', `/gallery/${picture?._id}`],
      ['/apps', `/easy-app/${fixtures.app}?job=${job}`],
      [`/workflows/${othersPost}`, '/account'],
    ] as const) {
      await Promise.all([look(guest, ofGuest), look(member.context, ofMember)])
    }
  })

  test(`a draft, a job and an upload survive a lost connection, ${viewport.width} px wide`, async () => {
    const { context } = fixtures.member
    const page = await open(context, `/workflows/${fixtures.othersPost}`)
    await page.setViewportSize(viewport)
    const words = `Said without a net ${Date.now()}`
    await say(page, words)
    await context.setOffline(true)
    await post(page).click()
    await expect(page.getByText(BANNER, { exact: false })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Write a comment' }), 'the words stay').toContainText(words)
    await fits(page, 'without a connection')
    await context.setOffline(false)
    await expect(page.getByText(BANNER, { exact: false })).toBeHidden()
    // The comment is sent again, by a click if it was refused. The button is gone once it is sent.
    await expect(async () => {
      if ((await commentWith(page, words).count()) === 0) await press(page).catch(() => undefined)
      await expect(commentWith(page, words)).toHaveCount(1, { timeout: 5000 })
    }).toPass({ timeout: 90_000 })
    expect(await below(words)).toBe(1)

    await page.goto(`/easy-app/${fixtures.app}`)
    await run(page).click()
    await expect(page).toHaveURL(/job=/)
    await context.setOffline(true)
    await expect(page.getByText(BANNER, { exact: false })).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByRole('button', { name: 'Open picture 1 in full' })).toBeVisible({ timeout: 60_000 })

    await page.goto(`/easy-app/${fixtures.pictureApp}`)
    await expect(run(page)).toBeVisible()
    await context.setOffline(true)
    const file = { name: LONG_FILE, mimeType: 'image/bmp', buffer: noiseBitmap() }
    await page.locator('input[type=file]').first().setInputFiles(file)
    await expect(page.getByText(/^The upload failed/)).toBeVisible()
    await context.setOffline(false)
    await page.locator('input[type=file]').first().setInputFiles(file)
    await expect(page.getByAltText(`Chosen picture ${LONG_FILE}`)).toBeVisible()
    await expect(page.getByText(/^The upload failed/)).toHaveCount(0)
    await page.close()
  })
}

test('a draft survives signing out in another tab', async () => {
  const { member } = fixtures
  const page = await open(member.context, `/workflows/${fixtures.othersPost}`)
  const words = `Half of a sentence ${Date.now()}`
  await say(page, words)
  const running = await open(member.context, `/easy-app/${fixtures.app}`)
  await run(running).click()
  await expect(running).toHaveURL(/job=/)
  await call(member, 'post', '/api/auth/logout')
  // The server ended the session and no tab announced it: the next request finds out, by this press or before.
  const asked = page.getByRole('dialog', { name: 'Welcome back' }).or(page.getByRole('button', { name: 'Get started' }))
  await expect(async () => {
    if ((await asked.count()) === 0) await press(page).catch(() => undefined)
    await expect(asked).not.toHaveCount(0, { timeout: 2000 })
  }).toPass({ timeout: 90_000 })
  await call(member, 'post', '/api/auth/login/email-password', {
    email: member.email,
    password: 'a long enough password',
  })
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Write a comment' })).toContainText(words)
  await running.reload()
  await expect(running.getByRole('button', { name: 'Open picture 1 in full' })).toBeVisible({ timeout: 60_000 })
  await page.close()
  await running.close()
})
