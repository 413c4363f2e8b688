import { expect, type Page, test } from '@playwright/test'
import { PRELOADS } from '../src/app/preloads'
import { findKnown, signInAs } from './site-pages'

/** The API calls while a page opens, how often each was made, and the browser's preload warnings. */
async function opened(page: Page, path: string) {
  const calls = new Map<string, number>()
  const warnings: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.set(pathname + search, (calls.get(pathname + search) ?? 0) + 1)
  })
  page.on('console', (message) => {
    if (/preload/i.test(message.text())) warnings.push(message.text())
  })
  const answer = await page.goto(path)
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle')
  page.removeAllListeners('request')
  page.removeAllListeners('console')
  return { calls, warnings, link: answer?.headers().link ?? '' }
}

for (const who of ['guest', 'person'] as const) {
  test(`a ${who} requests every preloaded file and call exactly once`, async ({ page }) => {
    await signInAs(page, who)
    const { post, app } = await findKnown(page)
    // From the second page on, the browser knows whether the user is signed in.
    await page.goto('/terms')
    await page.waitForLoadState('networkidle')
    for (const one of PRELOADS.filter(({ path }) => !path.startsWith('/basic'))) {
      const at = (text: string) => text.replace(':id', one.path.startsWith('/easy-app') ? app : post)
      const { calls, warnings, link } = await opened(page, at(one.path))
      for (const url of who === 'guest' ? one.guest : one.user) {
        expect(link, `the head of ${one.path}`).toContain(`<${at(url)}>; rel=preload; as=fetch`)
        expect(calls.get(at(url)), `how often ${one.path} asks for ${url}`).toBe(1)
      }
      expect(warnings, one.path).toEqual([])
    }
  })
}

test('a phone loads pictures of its size, and before the first interaction only visible ones', async ({
  browser,
  baseURL,
}) => {
  const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
  const context = await browser.newContext({ ...phone, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  const { post } = await findKnown(page)
  await page.goto('/gallery')
  await expect(page.getByRole('list', { name: 'Gallery' }).locator('img').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const pictures = asked.filter((path) => path.startsWith('/media/'))
  expect(pictures.length).toBeGreaterThan(0)
  expect(pictures.filter((path) => !path.startsWith('/media/w480/'))).toEqual([])

  asked.length = 0
  await page.goto(`/workflows/${post}`)
  // On a slow machine the network may rest before the page has rendered and listens to the wheel.
  await expect(page.locator('#run')).toBeAttached()
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => path.startsWith('/media/optimal/'))).toEqual([])
  const form = page.locator('#run form')
  await expect(form).toHaveCount(0)
  await page.mouse.wheel(0, 40)
  await expect(form).toBeVisible()
  await context.close()
})

test('on a slow phone the form of an app loads before pictures and only from preloaded requests', async ({
  browser,
  baseURL,
}) => {
  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }
  const context = await browser.newContext({ ...phone, baseURL: baseURL ?? '' })
  const page = await context.newPage()
  const { app } = await findKnown(page)
  const devtools = await context.newCDPSession(page)
  const bytes = 400_000 / 8
  const slow = { offline: false, latency: 400, downloadThroughput: bytes, uploadThroughput: bytes }
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  let named: string[] = []
  page.on('response', (response) => {
    const { link } = response.headers()
    if (link) named = [...link.matchAll(/<([^>]+)>/g)].map(([, url = '']) => url)
  })
  // All other requests stay pending.
  const early: string[] = []
  await page.route('**/*', async (route) => {
    const request = route.request()
    const { pathname, search } = new URL(request.url())
    if (request.isNavigationRequest() || named.includes(pathname + search)) return route.continue()
    early.push(pathname)
  })
  await page.goto(`/easy-app/${app}`, { waitUntil: 'commit' })
  const settings = page.getByRole('region', { name: 'Settings' })
  await expect(settings.locator('form [data-field]').first()).toBeVisible({ timeout: 60_000 })
  await expect(settings.getByRole('button', { name: /^(Sign in to run|Run)$/ })).toBeVisible()
  await expect(page.locator('h1')).not.toBeEmpty()
  const pictures = named.filter((url) => url.startsWith('/media/'))
  expect(pictures, 'pictures that are fetched before the form').toEqual([])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
})
