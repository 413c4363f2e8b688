import type { Page } from '@playwright/test'
import type { Known, Language, Who } from './page-list'
import { demoAccount, xsrf } from './people'

type Item = Record<string, unknown> & { _id: string }

async function items(page: Page, path: string): Promise<Item[]> {
  const answer = await page.request.get(path)
  return answer.ok() ? ((await answer.json()) as { items: Item[] }).items : []
}

/** Looks up ids of the demo content. With a session, also drafts and jobs. */
export async function findKnown(page: Page): Promise<Known> {
  const answer = await page.request.get('/api/auth')
  const me = answer.ok() ? ((await answer.json()) as { _id: string })._id : null
  const [posts, basics, pictures, own, jobs] = await Promise.all([
    items(page, '/api/public/workflow?limit=50&sort=view'),
    items(page, '/api/public/workflow/basic'),
    items(page, '/api/public/output-asset?limit=5'),
    items(page, '/api/general/workflow/my?limit=50'),
    items(page, '/api/general/job?limit=50'),
  ])
  const post = posts.find((one) => one.workflowApi)
  const picture = pictures[0]
  if (!post || !picture) throw new Error('the server has no demo content')
  const byStatus: Record<string, string> = {}
  for (const { _id, status } of jobs) byStatus[String(status)] ??= _id
  return {
    app: String(post.workflowApi),
    post: post._id,
    basic: basics[0]?._id ?? null,
    picture: picture._id,
    author: (post.user as { _id: string })._id,
    me,
    draft: own.find((one) => one.isPrivate)?._id ?? null,
    own: own.find((one) => !one.isPrivate)?._id ?? null,
    jobs: byStatus,
  }
}

/** Signs in a demo account by the API and sets the page's language. */
export async function signInAs(page: Page, who: Who, language: Language = 'en'): Promise<void> {
  await page.addInitScript((tag) => localStorage.setItem('vg.language', tag), language)
  if (who === 'guest') return
  const { email, password } = demoAccount(who === 'admin' ? 'Admin' : 'Customer')
  const answer = await page.request.post('/api/auth/login/email-password', { data: { email, password } })
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${answer.status()}`)
  await setLanguage(page, language)
}

/** Sets the language of the account of the page's user. */
export const setLanguage = (page: Page, language: Language) =>
  sendRequest(page, 'patch', '/api/auth/me/language', { language })

/** Sends a request as the page's user, as its scripts would. */
export async function sendRequest(page: Page, method: 'post' | 'patch' | 'delete', path: string, data: unknown = {}) {
  return page.request[method](path, { data, headers: await xsrf(page) })
}

/** Waits until a page shows its content. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, [role=dialog]').first().waitFor({ timeout: 20_000 })
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null, undefined, { timeout: 20_000 })
}
