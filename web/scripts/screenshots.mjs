// Takes pictures of every page at three widths in both languages into ../screenshots (ignored by git).
// VERDIGRAPH_URL names the running server; VERDIGRAPH_ACCOUNTS the file with its demo accounts.
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'

const base = process.env.VERDIGRAPH_URL ?? 'http://localhost:8080'
const out = process.env.SCREENSHOTS ?? fileURLToPath(new URL('../../screenshots/', import.meta.url))
const only = process.argv.slice(2)
const accounts = process.env.VERDIGRAPH_ACCOUNTS
  ? JSON.parse(readFileSync(process.env.VERDIGRAPH_ACCOUNTS, 'utf8'))
  : []
const account = accounts.find((a) => a.role !== 'Admin') ?? { email: 'jiwoo@example.com', password: 'correct-horse' }
const SIZES = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
]

mkdirSync(out, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
})

async function get(page, path) {
  return page.evaluate((p) => fetch(p).then((r) => (r.ok ? r.json() : null)), path)
}

async function settle(page) {
  await page.waitForLoadState('networkidle').catch(() => undefined)
  await page.waitForFunction(() => document.querySelectorAll('[aria-busy=true]').length === 0).catch(() => undefined)
  await page.waitForTimeout(400)
}

/** Pictures below the fold are fetched when they come near; a picture of the whole page wants them all. */
async function wake(page) {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      window.scrollTo(0, y)
      await new Promise((done) => setTimeout(done, 60))
    }
    window.scrollTo(0, 0)
  })
  await settle(page)
}

for (const language of ['en', 'ko']) {
  for (const viewport of SIZES) {
    const context = await browser.newContext({ viewport, baseURL: base, reducedMotion: 'reduce' })
    await context.addInitScript((l) => localStorage.setItem('vg.language', l), language)
    const page = await context.newPage()
    page.on('pageerror', (error) => console.error(`${page.url()}: ${error}`))
    page.on(
      'console',
      (m) => m.type() === 'error' && !m.text().includes('401') && console.error(`${page.url()}: ${m.text()}`),
    )
    const shoot = async (name, path) => {
      if (only.length > 0 && !only.includes(name)) return
      await page.goto(path)
      await settle(page)
      if (name.startsWith('home')) await wake(page)
      await page.screenshot({
        path: `${out}/${name}-${viewport.width}-${language}.png`,
        fullPage: name.startsWith('home') || name === 'account',
      })
    }
    await page.goto('/')
    const apps = (await get(page, '/api/public/mini-app?limit=3'))?.items ?? []
    const app = apps.at(-1)?.workflowApi
    await shoot('home-guest', '/')
    await shoot('login', '/login')
    await shoot('signup', '/signup')
    await shoot('forgot-password', '/forgot-password')
    await shoot('reset-password', '/reset-password#code=x')
    await shoot('verify-email', '/verify-email')
    await shoot('login-declined', '/login/google?error=access_denied')
    await shoot('not-found', '/nowhere')
    await page.goto('/login')
    await page.fill('input[name=email]', account.email)
    await page.fill('input[name=password]', account.password)
    await page.click('button[type=submit]')
    await page.waitForURL('**/')
    await page.evaluate(async (l) => {
      const token = /XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1] ?? ''
      await fetch('/api/auth/me/language', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', 'x-xsrf-token': decodeURIComponent(token) },
        body: JSON.stringify({ language: l }),
      })
    }, language)
    const jobs = (await get(page, '/api/general/job?limit=20'))?.items ?? []
    const pictures = (await get(page, '/api/general/output-asset/my?limit=5'))?.items ?? []
    await shoot('home', '/')
    await shoot('apps', '/apps')
    if (app) await shoot('mini-app', `/easy-app/${app}`)
    for (const status of ['Running', 'Done', 'ExecuteError', 'Canceled']) {
      const job = jobs.find((j) => j.status === status && j.workflowApi)
      if (job) await shoot(`mini-app-${status}`, `/easy-app/${job.workflowApi}?job=${job._id}`)
    }
    const posts = (await get(page, '/api/public/workflow?limit=3'))?.items ?? []
    const own = (await get(page, '/api/general/workflow/my?limit=1'))?.items ?? []
    await shoot('workflows', '/workflows')
    if (posts[0]) await shoot('workflow', `/workflows/${posts[0]._id}`)
    if (own[0]) await shoot('workflow-edit', `/workflows/edit/${own[0]._id}`)
    await shoot('basic-workflows', '/basic-workflows')
    await shoot('search', '/search?q=light')
    await shoot('mobile-search', '/mobile-search?searchInputType=workflow')
    await shoot('jobs', '/jobs')
    if (jobs[0]) await shoot('job', `/jobs/${jobs[0]._id}`)
    await shoot('pictures', '/pictures')
    if (pictures[0]) await shoot('picture', `/gallery/${pictures[0]._id}`)
    await shoot('account', '/account')
    await shoot('account-subscription', '/account?tab=subscription')
    await shoot('account-coupon', '/account?tab=coupon')
    await shoot('account-keys', '/account?tab=keys')
    await shoot('account-credits', '/account?tab=credits')
    await context.close()
  }
}
await browser.close()
