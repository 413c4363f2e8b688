import { expect, type Locator, type Page } from '@playwright/test'
import type { Known, Language, Who } from '../page-list'

/** What there is to look at; `app` wants a picture, `plain` does not. */
export type Content = Known & { plain: string }

/** One line of the two specifications and how it shows in the running app. */
export type Row = {
  /** Document, section and line: `1 §2 /gallery/{id}`. */
  proves: string
  /** A guest where nobody is named. */
  who?: Who
  language?: Language
  /** Width of the window; 1440 where none is named. */
  width?: number
  path: string | ((known: Content) => string | null)
  /** Before the page is opened: answers of the server that are to be made up. */
  before?: (page: Page) => Promise<unknown>
  see: (page: Page, known: Content) => Promise<void>
}

/** The toast that says exactly this. */
export const told = (page: Page, text: string | RegExp) =>
  expect(page.locator('.ant-notification-notice').filter({ hasText: text }).first()).toBeVisible()

/** Lets the server refuse: its answer to requests of this method to these addresses. */
export async function refuse(page: Page, method: string, address: string, status = 500, code = 'INTERNAL') {
  await page.route(address, (route) =>
    method.split('|').includes(route.request().method())
      ? route.fulfill({ status, json: { code, message: 'made up', requestId: 'r' } })
      : route.fallback(),
  )
}

/** Lets the server agree without having done anything. `method` may be several, as in `PUT|DELETE`. */
export async function agree(page: Page, method: string, address: string | RegExp, json: unknown = {}) {
  await page.route(address, (route) =>
    method.split('|').includes(route.request().method()) ? route.fulfill({ json }) : route.fallback(),
  )
}

/** The plan of whoever is signed in, as if it had Stealth Mode. */
export async function withStealthMode(page: Page) {
  await page.route('**/api/auth/me/subscription', async (route) => {
    const plan = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...plan, stealthMode: true } })
  })
}

/** How many columns items stand in, and the gap between the first two. */
export async function columns(items: Locator): Promise<{ count: number; gap: number }> {
  await expect(items.nth(1)).toBeVisible()
  return items.evaluateAll((all) => {
    const boxes = all.map((one) => one.getBoundingClientRect())
    const lefts = [...new Set(boxes.map(({ left }) => Math.round(left)))].sort((a, b) => a - b)
    const [first, second] = lefts
    const width = boxes.find(({ left }) => Math.round(left) === first)?.width ?? 0
    return { count: lefts.length, gap: Math.round((second ?? 0) - (first ?? 0) - width) }
  })
}

/** The smallest PNG, for forms that want a picture. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
