import { expect, type Locator, type Page } from '@playwright/test'
import type { Known, Language, Who } from '../page-list'

/** The demo content. `app` has a picture field, `plain` does not. */
export type Content = Known & { plain: string }

/** One line of the specifications and how it shows in the running application. */
export type Row = {
  /** Document, section and line: `1 §2 /gallery/{id}`. */
  proves: string
  /** A guest by default. */
  who?: Who
  language?: Language
  /** Width of the window; 1440 by default. */
  width?: number
  path: string | ((known: Content) => string | null)
  /**
   * Mocks, scripts and listeners that are set before the page opens. A row without it may get the page of the row before,
   * and the next row its page.
   */
  before?: (page: Page) => Promise<unknown>
  see: (page: Page, known: Content) => Promise<void>
  /** Leaves the page in a state that suits the next row, which goes on with it if its path and mocks are the same. */
  keepsPage?: true
  /** Changes every page of the browser context, as a stopped clock does: its part has a test that ends with this row. */
  endsTest?: true
}

/** Expects a toast with exactly this text. */
export const expectToast = (page: Page, text: string | RegExp) =>
  expect(page.locator('[data-toast]').filter({ hasText: text }).first()).toBeVisible()

/** Mocks a refusal of requests with this method to these addresses. */
export async function mockRefusal(page: Page, method: string, address: string, status = 500, code = 'INTERNAL') {
  await page.route(address, (route) =>
    method.split('|').includes(route.request().method())
      ? route.fulfill({ status, json: { code, message: 'made up', requestId: 'r' } })
      : route.fallback(),
  )
}

/** Mocks a success of requests with this method. `method` may be several, as in `PUT|DELETE`. */
export async function mockSuccess(page: Page, method: string, address: string | RegExp, json: unknown = {}) {
  await page.route(address, (route) =>
    method.split('|').includes(route.request().method()) ? route.fulfill({ json }) : route.fallback(),
  )
}

/** A subscription to Basic, as the API has it. */
export const basicSubscription = (change: Record<string, unknown>) => ({
  _id: '01970000-0000-7000-8000-000000000000',
  plan: 'Basic',
  isCanceled: false,
  credits: 1000,
  periodFrom: '2026-11-20T08:00:00Z',
  periodUntil: '2026-12-20T08:00:00Z',
  tries: 0,
  createdAt: '2026-11-20T08:00:00Z',
  ...change,
})

/** Gives the signed-in user a subscription to Basic. */
export const withSubscription = (page: Page, change: Record<string, unknown>) =>
  mockSuccess(page, 'GET', '**/api/general/subscription', { subscription: basicSubscription(change) })

export const RUN = '**/api/general/job/workflow-api/*'
/** The job of `mockJob`. */
export const JOB = '01970000-0000-7000-8000-0000000000d1'

/** Answers a run with one job, whose events are these. */
export async function mockJob(page: Page, status: object, outputs: object[] = []): Promise<void> {
  await mockSuccess(page, 'POST', RUN, { _id: JOB, status: 'Pending', seeds: {}, nodeErrors: {} })
  const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  const now = { _id: JOB, queue: null, progress: null, ...status }
  const body = event('outputs', outputs) + event('status', now)
  await page.route(`**/api/general/job/${JOB}/events`, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body }),
  )
  await mockSuccess(page, 'GET', `**/api/general/job/${JOB}/status`, now)
}

/** Gives the signed-in user a plan with Stealth Mode. */
export async function withStealthMode(page: Page) {
  await page.route('**/api/auth/me/subscription', async (route) => {
    const plan = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...plan, stealthMode: true } })
  })
}

/** The number of columns and the gap between the first two. */
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
