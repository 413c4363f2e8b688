import { expect, type Locator, type Page, type Request, test } from '@playwright/test'
import { keepCache } from './api-mocks'
import { ACCOUNT } from './presses/account'
import { COUPONS } from './presses/coupons'
import { CURATION } from './presses/curation'
import { EDITOR } from './presses/editor'
import { closeFixtures, createFixtures, type Fixtures } from './presses/fixtures'
import { FLEET } from './presses/fleet'
import { GENERATORS } from './presses/generators'
import { GUESTS } from './presses/guests'
import { MODERATION } from './presses/moderation'
import { NOTICES } from './presses/notices'
import { PEOPLE } from './presses/people'
import { PICTURES } from './presses/pictures'
import { POSTS } from './presses/posts'
import { PROMOTIONS } from './presses/promotions'
import type { Press } from './presses/row'
import { SHOP } from './presses/shop'
import { SUBSCRIPTIONS } from './presses/subscriptions'
import { TALK } from './presses/talk'
import { VIDEOS } from './presses/videos'
import { WEBHOOKS } from './presses/webhooks'
import { WORKFLOW_API } from './presses/workflow-api'
import { startYouTube } from './youtube'

/** Each part has users of its own and runs in any order. Some rows depend on earlier ones of their part. */
const PARTS: Record<string, Press[]> = {
  purchases: [...SHOP, ...PROMOTIONS, ...SUBSCRIPTIONS],
  accounts: [...ACCOUNT, ...GUESTS],
  'people and the installation': [...PEOPLE, ...MODERATION, ...NOTICES, ...FLEET, ...CURATION],
  'pictures and the node editor': [...PICTURES, ...EDITOR],
  'posts, comments and workflow APIs': [...POSTS, ...TALK, ...WORKFLOW_API],
  'webhooks, coupons, videos and generators': [...WEBHOOKS, ...COUPONS, ...VIDEOS, ...GENERATORS],
}
/** A fast double click on a phone; a third click on a desktop. */
const WINDOWS = [
  { width: 390, height: 844, presses: 2 },
  { width: 1440, height: 900, presses: 3 },
]
const BETWEEN_MS = 30

const spelt = (method: string, url: string) =>
  `${method} ${new URL(url).pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')}`

/** Records the writes that a page sends. */
function recordWrites(page: Page, awaited: string[]) {
  const sent: string[] = []
  let answers = 0
  const counts = (line: string) => awaited.includes(line) || !/^(GET|HEAD) /.test(line)
  page.on('request', (request) => {
    const line = spelt(request.method(), request.url())
    if (/ (\/comfyui-editor)?\/api\//.test(line) && counts(line)) sent.push(line)
  })
  page.on('response', (response) => {
    if (awaited.includes(spelt(response.request().method(), response.url()))) answers += 1
  })
  return { sent, answered: () => answers >= awaited.length }
}

/** The pending requests of a page, without event streams. */
function waitsFor(page: Page): Set<Request> {
  const open = new Set<Request>()
  page.on('request', (request) => {
    if (request.url().includes('/api/') && request.resourceType() !== 'eventsource') open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return open
}

/** The alerts on the page; none while it reloads. */
const notices = (page: Page) =>
  page
    .getByRole('alert')
    .allTextContents()
    .catch((): string[] => [])

/** After two frames, the requests of a second click have been sent. */
const drawnTwice = (page: Page) =>
  page
    .evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    .catch(() => page.waitForLoadState())

/** Clicks without waiting for the page in between: a busy machine must not lengthen the pauses. */
async function tap(page: Page, button: Locator, presses: number): Promise<void> {
  await button.hover()
  const acts: Promise<void>[] = []
  for (let clickCount = 1; clickCount <= presses; clickCount += 1) {
    acts.push(page.mouse.down({ clickCount }), page.mouse.up({ clickCount }))
    await new Promise((next) => setTimeout(next, BETWEEN_MS))
  }
  await Promise.all(acts)
}

async function run(page: Page, row: Press, fixtures: Fixtures, presses: number): Promise<void> {
  const made = (await row.stage?.(fixtures)) ?? ''
  await row.before?.(page, made, fixtures)
  const open = waitsFor(page)
  await page.goto(typeof row.path === 'string' ? row.path : row.path(made, fixtures))
  await row.reach?.(page, made, fixtures)
  const button = row.button(page, made)
  await expect(button).toBeEnabled()
  // Late content may move the button during the click: waits until everything has loaded and rendered.
  const allThere = async () => {
    const before = [...open]
    await drawnTwice(page)
    return [...before, ...open].map((request) => spelt(request.method(), request.url()))
  }
  await expect.poll(allThere, { intervals: [20, 50, 100] }).toEqual([])
  // Waits for animated layers, so that the click hits the button. Not for keyboard rows: the check would scroll, and a
  // lifted item would be over another place.
  if (!row.press) await button.hover({ trial: true })
  const recorder = recordWrites(page, row.writes)
  const alerts = await notices(page)
  if (row.press) await row.press(page, presses)
  else if (row.key) {
    await button.focus()
    for (let press = 0; press < presses; press += 1) await page.keyboard.press(row.key, { delay: BETWEEN_MS })
  } else await tap(page, button, presses)
  await expect
    .poll(recorder.answered, { message: `sent of ${row.writes}: ${recorder.sent}`, intervals: [20, 20, 50, 100] })
    .toBe(true)
  await drawnTwice(page)
  expect([...recorder.sent].sort()).toEqual([...row.writes].sort())
  const wrong = (await notices(page)).filter((text) => text && !alerts.includes(text) && !row.says?.test(text))
  expect(wrong).toEqual([])
  await row.kept?.(page, made, fixtures)
  expect([...recorder.sent].sort(), 'afterwards').toEqual([...row.writes].sort())
}

// As most users see it: a layer may still move when the second click arrives.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })
test.describe.configure({ mode: 'parallel' })

for (const { presses, ...viewport } of process.env['EVERYTHING'] ? WINDOWS : WINDOWS.slice(0, 1)) {
  for (const [part, rows] of Object.entries(PARTS)) {
    test(`${presses} clicks on every button that writes ${part} write once, ${viewport.width} px wide`, async ({
      browser,
    }) => {
      test.setTimeout(600_000)
      const fixtures = await createFixtures(browser, rows.some((row) => PICTURES.includes(row)) ? 4 : 0)
      const youtube = await startYouTube()
      const wrong: string[] = []
      for (const row of rows) {
        const context = row.who === 'guest' ? fixtures.guest : fixtures[row.who].context
        const page = keepCache(await context.newPage())
        page.setDefaultTimeout(20_000)
        await page.setViewportSize(viewport)
        try {
          await run(page, row, fixtures, presses)
        } catch (error) {
          wrong.push(`${row.hook}: ${error instanceof Error ? error.message.slice(0, 900) : error}`)
        }
        await page.close()
      }
      youtube.close()
      await closeFixtures(fixtures)
      expect(wrong.join('\n\n')).toBe('')
    })
  }
}
