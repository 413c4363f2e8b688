import { expect, test } from '@playwright/test'
import { keepCache } from './api-mocks'
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
import type { Language, Who } from './page-list'
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
const groups = Object.entries(ROWS).flatMap(([part, rows]) => {
  const kinds = new Set(rows.map(({ who = 'guest', language = 'en' }) => `${who} ${language}`))
  return [...kinds].map((kind) => {
    const [who, language] = kind.split(' ') as [Who, Language]
    const own = rows.filter((row) => (row.who ?? 'guest') === who && (row.language ?? 'en') === language)
    return { part, who, language, rows: own }
  })
})

/** A line that waits for ever must not hide its name and the lines after it. Some lines wait for a job for a minute. */
const ROW_SECONDS = 120

async function within(seconds: number, work: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`still waiting after ${seconds} s`)), seconds * 1000)
  })
  await Promise.race([work(), late]).finally(() => clearTimeout(timer))
}

test.describe.configure({ mode: 'parallel' })

for (const { part, who, language, rows } of groups) {
  test(`the specification of ${part} holds for a ${who} in ${language}`, async ({ page }) => {
    test.setTimeout(240_000 + rows.length * 20_000)
    await page.context().addInitScript((tag) => localStorage.setItem('vg.language', tag), language)
    await signInAs(page, who, language)
    const content: Content = {
      ...(await findKnown(page)),
      app: (await findApp(page, { image: true })).id,
      plain: (await findApp(page, { image: false })).id,
    }
    const missing: string[] = []
    for (const row of rows) {
      const path = typeof row.path === 'string' ? row.path : row.path(content)
      if (!path || /null|undefined/.test(path)) {
        missing.push(`${row.proves}: there is no ${path}`)
        continue
      }
      // Each line has its own page, so that mocks and open layers of one do not affect the next.
      const own = keepCache(await page.context().newPage())
      own.setDefaultTimeout(20_000)
      await own.setViewportSize({ width: row.width ?? 1440, height: 900 })
      try {
        await within(ROW_SECONDS, async () => {
          await row.before?.(own)
          await own.goto(path)
          await settled(own)
          await row.see(own, content)
        })
      } catch (error) {
        missing.push(`${row.proves} at ${path}: ${error instanceof Error ? error.message.slice(0, 600) : error}`)
      }
      await own.close()
    }
    // Other tests sign in with the same accounts.
    if (who !== 'guest' && language !== 'en') await setLanguage(page, 'en')
    expect(missing.join('\n\n')).toBe('')
  })
}

test('every line of the checklist is unique', () => {
  const all = Object.values(ROWS)
    .flat()
    .map(({ proves, who, language }) => `${proves} ${who} ${language}`)
  expect(all.filter((line, at) => all.indexOf(line) !== at)).toEqual([])
})
