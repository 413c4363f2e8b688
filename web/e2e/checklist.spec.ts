import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { isMocked, keepCache } from './api-mocks'
import { EDITOR } from './checklist/editor'
import { HOME } from './checklist/home'
import { LAYOUT } from './checklist/layout'
import { MASKS } from './checklist/masks'
import { MESSAGES } from './checklist/messages'
import { MINI_APPS } from './checklist/mini-apps'
import { MONEY } from './checklist/money'
import { NAVIGATION } from './checklist/navigation'
import { OWN_FILES } from './checklist/own-files'
import { PAYMENTS } from './checklist/payments'
import { PICTURES } from './checklist/pictures'
import { POSTS } from './checklist/posts'
import { PROFILES } from './checklist/profiles'
import { ROUTES } from './checklist/routes'
import type { Content, Row } from './checklist/row'
import { SAVED_WORKFLOW_API } from './checklist/saved-workflow-api'
import { SIMPLE_APPS } from './checklist/simple-apps'
import { STATES } from './checklist/states'
import { TALK } from './checklist/talk'
import { VIDEOS } from './checklist/videos'
import { WEBHOOKS } from './checklist/webhooks'
import { WORKFLOW_API } from './checklist/workflow-api'
import { WORKFLOW_API_DETAILS } from './checklist/workflow-api-details'
import { LANGUAGES, type Language, type Who } from './page-list'
import { findApp } from './people'
import { findKnown, setLanguage, settled, signInAs } from './site-pages'

const ROWS: Record<string, Row[]> = {
  routes: ROUTES,
  home: HOME,
  layout: LAYOUT,
  'the mask editor': MASKS,
  messages: MESSAGES,
  money: MONEY,
  payments: PAYMENTS,
  pictures: PICTURES,
  'own files': OWN_FILES,
  posts: POSTS,
  states: STATES,
  talk: TALK,
  profiles: PROFILES,
  navigation: NAVIGATION,
  videos: VIDEOS,
  'the node editor': EDITOR,
  'the workflow-API editor': [...WORKFLOW_API, ...SAVED_WORKFLOW_API],
  'the details of the workflow-API editor': WORKFLOW_API_DETAILS,
  webhooks: WEBHOOKS,
  'mini apps': MINI_APPS,
  'the simple apps': SIMPLE_APPS,
}

const VISITORS = ['guest', 'person', 'admin'] as const satisfies Who[]

type Part = { name: string; rows: Row[] }

/** Parts with fewer rows share a test: each test opens a browser context, signs in and compiles all scripts. */
const SMALL = 12
/** The most rows of a test of several parts. */
const MOST = 26

const sizeOf = (parts: Part[]) => parts.reduce((sum, { rows }) => sum + rows.length, 0)
const isAlone = ({ rows }: Part) => rows.length >= SMALL || rows.some(({ endsTest }) => endsTest)

/** The tests for one kind of visitor: large parts alone, small ones together in the order of the list. */
function testsOf(who: Who, language: Language): Part[][] {
  const isTheirs = (row: Row) => (row.who ?? 'guest') === who && (row.language ?? 'en') === language
  const parts = Object.entries(ROWS)
    .map(([name, rows]) => ({ name, rows: rows.filter(isTheirs) }))
    .filter(({ rows }) => rows.length > 0)
  const tests = parts
    .filter(isAlone)
    .map(({ name, rows }) => [
      { name, rows: rows.toSorted((one, other) => Number(one.endsTest ?? false) - Number(other.endsTest ?? false)) },
    ])
  let last: Part[] | undefined
  for (const part of parts.filter((one) => !isAlone(one))) {
    if (last && sizeOf(last) + part.rows.length <= MOST) last.push(part)
    else {
      last = [part]
      tests.push(last)
    }
  }
  return tests
}

/** A line that waits for ever must not hide its name and the lines after it. Some lines wait for a job for a minute. */
const ROW_SECONDS = 120

async function within(seconds: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still waiting after ${seconds} s`)), seconds * 1000)
  })
  await Promise.race([work(), late]).finally(() => clearTimeout(timer))
}

/** The page of the row before, after its success. */
type LastPage = { page: Page; path: string; row: Row }

/** Whether a row goes on with the page of the row before, as it is. */
const goesOn = (row: Row, path: string, last: LastPage): boolean =>
  last.row.keepsPage === true && last.path === path && last.row.before === row.before

/** Whether a row loads its address in the page of the row before. Mocks and scripts of one must not affect the next. */
const loadsIn = (row: Row, last: LastPage): boolean => !row.before && !last.row.before && !isMocked(last.page)

/** Forgets what the rows of another part have stored, so that a part starts as in a browser of its own. */
async function forget(page: Page): Promise<void> {
  // A document of the site without scripts, which could store something again.
  await page.goto('/robots.txt')
  await page.evaluate(() => localStorage.clear())
}

/** Checks the rows of a part and returns the failures by row. */
async function failuresOf(context: BrowserContext, rows: Row[], content: Content): Promise<string[]> {
  const missing: string[] = []
  let last: LastPage | null = null
  for (const row of rows) {
    const path = typeof row.path === 'string' ? row.path : row.path(content)
    if (!path || /null|undefined/.test(path)) {
      missing.push(`${row.proves}: there is no ${path}`)
      continue
    }
    const isOpen: boolean = last !== null && goesOn(row, path, last)
    if (last && !isOpen && !loadsIn(row, last)) {
      await last.page.close()
      last = null
    }
    const own: Page = last?.page ?? keepCache(await context.newPage())
    last = null
    own.setDefaultTimeout(20_000)
    try {
      await within(ROW_SECONDS, async () => {
        const width = row.width ?? 1440
        if (own.viewportSize()?.width !== width) await own.setViewportSize({ width, height: 900 })
        if (!isOpen) {
          await row.before?.(own)
          await own.goto(path)
          await settled(own)
        }
        await row.see(own, content)
      })
      last = { page: own, path, row }
    } catch (error) {
      missing.push(`${row.proves} at ${path}: ${error instanceof Error ? error.message.slice(0, 600) : error}`)
      await own.close()
    }
  }
  await last?.page.close()
  return missing
}

test.describe.configure({ mode: 'parallel' })

for (const who of VISITORS) {
  for (const language of LANGUAGES) {
    for (const parts of testsOf(who, language)) {
      const names = parts.map(({ name }) => name).join(', ')
      test(`the specification of ${names} holds for a ${who} in ${language}`, async ({ page }) => {
        test.setTimeout(240_000 + sizeOf(parts) * 20_000)
        await page.context().addInitScript((tag) => localStorage.setItem('vg.language', tag), language)
        await signInAs(page, who, language)
        const content: Content = {
          ...(await findKnown(page)),
          app: (await findApp(page, { image: true })).id,
          plain: (await findApp(page, { image: false })).id,
        }
        const missing: string[] = []
        for (const { rows } of parts) {
          await forget(page)
          missing.push(...(await failuresOf(page.context(), rows, content)))
        }
        // Other tests sign in with the same accounts.
        if (who !== 'guest' && language !== 'en') await setLanguage(page, 'en')
        expect(missing.join('\n\n')).toBe('')
      })
    }
  }
}

const linesOf = (rows: Row[]) => rows.map(({ proves, who, language }) => `${proves} ${who} ${language}`)

test('every line of the checklist is unique', () => {
  const all = linesOf(Object.values(ROWS).flat())
  expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([])
})

test('every line of the checklist is checked by one test', () => {
  const tests = VISITORS.flatMap((who) => LANGUAGES.flatMap((language) => testsOf(who, language)))
  const checked = linesOf(tests.flat().flatMap(({ rows }) => rows))
  expect(checked.sort()).toEqual(linesOf(Object.values(ROWS).flat()).sort())
})
