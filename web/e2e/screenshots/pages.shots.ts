import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { LANGUAGES, pagesOf } from '../page-list'
import { findKnown, settled, signInAs } from '../site-pages'
import { stageFailure, stageTalk, whileWaiting } from './stage'

/**
 * Takes a screenshot of every page in three widths and both languages, as guest, user and admin, into `screenshots/`
 * (ignored by git). `SHOTS=home,login` takes only these.
 */
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
]
const wanted = process.env.SHOTS?.split(',') ?? []

/** Pictures below the fold load when they come near; a full-page screenshot needs them all. */
async function wake(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      window.scrollTo(0, y)
      await new Promise((done) => setTimeout(done, 60))
    }
    window.scrollTo(0, 0)
  })
}

/** Waits until pictures have loaded and animations have ended. */
async function still(page: Page): Promise<void> {
  await settled(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  // A lazy picture that is not rendered, or of which less than a pixel is visible, never loads.
  await page.waitForFunction(() =>
    [...document.images].every((one) => {
      const { top, right, bottom, left, width } = one.getBoundingClientRect()
      const inside = width > 0 && bottom >= 1 && right >= 1 && top <= innerHeight - 1 && left <= innerWidth - 1
      return one.complete || !inside
    }),
  )
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'))
}

test.beforeAll(async ({ browser, baseURL }) => {
  const open = async (who: 'person' | 'admin') => {
    const page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage()
    await signInAs(page, who)
    return page
  }
  const [person, admin] = await Promise.all([open('person'), open('admin')])
  await stageTalk(person, admin)
  await Promise.all([person.context().close(), admin.context().close()])
})

for (const language of LANGUAGES) {
  for (const viewport of SIZES) {
    for (const who of ['guest', 'person', 'admin'] as const) {
      test(`${language} at ${viewport.width} px as ${who}`, async ({ browser, baseURL }, info) => {
        const context = await browser.newContext({ viewport, baseURL: baseURL ?? '', reducedMotion: 'reduce' })
        const page = await context.newPage()
        const broken: string[] = []
        page.on('pageerror', (error) => broken.push(`${page.url()}: ${error.message}`))
        await signInAs(page, who, language)
        const fileOf = (name: string) =>
          join(info.config.metadata.folder as string, `${name}-${who}-${viewport.width}-${language}.png`)
        // Repeated in every round: jobs of earlier rounds push it off the first page of the list.
        if (who === 'person') await stageFailure(page)
        const known = await findKnown(page)
        for (const { name, path, long } of pagesOf(who, known)) {
          if (wanted.length > 0 && !wanted.includes(name)) continue
          await page.goto(path)
          await still(page)
          if (long) {
            await wake(page)
            await still(page)
          }
          await page.screenshot({ path: fileOf(name), fullPage: long })
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          if (overflow > 0) broken.push(`${path} is ${overflow} px wider than ${viewport.width}`)
        }
        if (who === 'person' && (wanted.length === 0 || wanted.includes('job-waiting'))) {
          await whileWaiting(page, known.app, async () => {
            await page.screenshot({ path: fileOf('job-waiting') })
          })
        }
        await context.close()
        expect(broken).toEqual([])
      })
    }
  }
}
