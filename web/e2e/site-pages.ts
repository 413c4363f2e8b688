import type { Page } from '@playwright/test'
import { demoAccount } from './people'

export type Who = 'guest' | 'person' | 'admin'
export const LANGUAGES = ['en', 'ko'] as const
export type Language = (typeof LANGUAGES)[number]

/** Ids of what the demo content has, for the pages that show one thing. */
export type Known = {
  app: string
  post: string
  basic: string | null
  picture: string
  /** A person with posts. */
  author: string
  me: string | null
  draft: string | null
  own: string | null
  jobs: Record<string, string>
}

export type SitePage = {
  name: string
  /** The address, or nothing where the content for it is not there. */
  path: (known: Known) => string | null
  who: readonly Who[]
  /** Worth a picture of its whole length. */
  long?: true
}

const EVERYBODY = ['guest', 'person', 'admin'] as const
const GUEST = ['guest'] as const
const MEMBERS = ['person'] as const
const ADMIN = ['admin'] as const
const VISITORS = ['guest', 'person'] as const

const at = (path: string) => () => path
const mine = (tab: string) => (known: Known) => known.me && `/profile/${known.me}/${tab}`
const job = (status: string) => (known: Known) => (known.jobs[status] ? `/jobs/${known.jobs[status]}` : null)

/**
 * Every page of the site and who sees something of their own on it. Pictures are taken of it, accessibility and width
 * are measured on it: a new page adds its line here.
 */
export const SITE_PAGES: readonly SitePage[] = [
  { name: 'home', path: at('/'), who: EVERYBODY, long: true },
  { name: 'create-image', path: at('/create/image'), who: VISITORS },
  { name: 'create-video', path: at('/create/video'), who: VISITORS },
  { name: 'apps', path: at('/apps'), who: VISITORS },
  { name: 'mini-app', path: ({ app }) => `/easy-app/${app}`, who: VISITORS },
  { name: 'workflows', path: at('/workflows'), who: EVERYBODY },
  { name: 'workflow', path: ({ post }) => `/workflows/${post}`, who: VISITORS, long: true },
  { name: 'workflow-draft', path: ({ draft }) => draft && `/workflows/${draft}`, who: MEMBERS },
  { name: 'workflow-edit', path: ({ own }) => own && `/workflows/edit/${own}`, who: MEMBERS, long: true },
  { name: 'workflow-upload', path: ({ draft }) => draft && `/workflows/edit/${draft}?isUpload=true`, who: MEMBERS },
  { name: 'workflow-edit-guest', path: ({ post }) => `/workflows/edit/${post}`, who: GUEST },
  { name: 'basic-workflows', path: at('/basic-workflows'), who: VISITORS },
  { name: 'basic-workflow', path: ({ basic }) => basic && `/basic-workflows/${basic}`, who: GUEST },
  { name: 'search', path: at('/search?q=light'), who: GUEST },
  { name: 'search-none', path: at('/search?q=zzzzzz'), who: GUEST },
  { name: 'search-tag', path: at('/search?parentTag=01970000-0000-7000-8000-000000000100'), who: GUEST },
  { name: 'mobile-search', path: at('/mobile-search?searchInputType=workflow'), who: GUEST },
  { name: 'gallery', path: at('/gallery'), who: EVERYBODY },
  { name: 'picture', path: ({ picture }) => `/gallery/${picture}`, who: EVERYBODY },
  { name: 'profile', path: ({ author }) => `/profile/${author}/workflows`, who: VISITORS },
  { name: 'profile-gallery', path: ({ author }) => `/profile/${author}/gallery`, who: GUEST },
  { name: 'profile-workflow-files', path: mine('workflow-files'), who: MEMBERS },
  { name: 'profile-image-files', path: mine('image-files'), who: MEMBERS },
  { name: 'profile-favorite', path: mine('favorite'), who: MEMBERS },
  { name: 'pictures', path: at('/pictures'), who: VISITORS },
  { name: 'jobs', path: at('/jobs'), who: VISITORS },
  { name: 'job', path: job('Done'), who: MEMBERS },
  { name: 'job-failed', path: job('ExecuteError'), who: MEMBERS },
  { name: 'account', path: at('/account'), who: VISITORS, long: true },
  { name: 'account-subscription', path: at('/account?tab=subscription'), who: MEMBERS },
  { name: 'account-coupon', path: at('/account?tab=coupon'), who: MEMBERS },
  { name: 'account-keys', path: at('/account?tab=keys'), who: MEMBERS },
  { name: 'account-credits', path: at('/account?tab=credits'), who: MEMBERS },
  { name: 'login', path: at('/login'), who: GUEST },
  { name: 'signup', path: at('/signup'), who: GUEST },
  { name: 'forgot-password', path: at('/forgot-password'), who: GUEST },
  { name: 'reset-password', path: at('/reset-password#code=x'), who: GUEST },
  { name: 'verify-email', path: at('/verify-email'), who: GUEST },
  { name: 'login-declined', path: at('/login/google?error=access_denied'), who: GUEST },
  { name: 'not-found', path: at('/not-found'), who: GUEST },
  { name: 'admin-workflows', path: at('/admin/workflows'), who: ADMIN },
  { name: 'admin-workflow', path: ({ post }) => `/admin/workflows/${post}`, who: ADMIN },
  { name: 'admin-gallery', path: at('/admin/gallery'), who: ADMIN },
  { name: 'admin-picture', path: ({ picture }) => `/admin/gallery/${picture}`, who: ADMIN },
  { name: 'admin-profile', path: ({ author }) => `/admin/profile/${author}/workflow-files`, who: ADMIN },
]

/** The pages that this person sees, with their addresses. */
export function pagesOf(who: Who, known: Known): { name: string; path: string; long: boolean }[] {
  return SITE_PAGES.filter((page) => page.who.includes(who)).flatMap(({ name, path, long }) => {
    const address = path(known)
    return address ? [{ name, path: address, long: Boolean(long) }] : []
  })
}

type Item = Record<string, unknown> & { _id: string }

async function items(page: Page, path: string): Promise<Item[]> {
  const answer = await page.request.get(path)
  return answer.ok() ? ((await answer.json()) as { items: Item[] }).items : []
}

/** Looks up what there is. Signed in, drafts and jobs are found too. */
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

/** Signs a demo account in by the API, and gives the page its language. */
export async function become(page: Page, who: Who, language: Language = 'en'): Promise<void> {
  await page.addInitScript((tag) => localStorage.setItem('vg.language', tag), language)
  if (who === 'guest') return
  const { email, password } = demoAccount(who === 'admin' ? 'Admin' : 'Customer')
  const answer = await page.request.post('/api/auth/login/email-password', { data: { email, password } })
  if (!answer.ok()) throw new Error(`${email} cannot sign in: ${answer.status()}`)
  await ask(page, 'patch', '/api/auth/me/language', { language })
}

/** A request of whoever is signed in on the page, as its scripts would send it. */
export async function ask(page: Page, method: 'post' | 'patch' | 'delete', path: string, data: unknown = {}) {
  const cookies = await page.context().cookies()
  const token = cookies.find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  return page.request[method](path, { data, headers: { 'X-XSRF-TOKEN': decodeURIComponent(token) } })
}

/** Waits until a page shows what it has. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, [role=dialog]').first().waitFor()
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
}
