import { expect, type Page, test } from '@playwright/test'
import { faultsOf } from './axe'
import { pagesOf, type Who } from './page-list'
import { findApp, makeDraft, signUp } from './people'
import { findKnown, signInAs } from './site-pages'

/** Errors of scripts and of the content policy. The 401 of a guest is expected. */
function complaints(page: Page): string[] {
  const broken: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' && /\b401\b/.test(message.text())) broken.push(`${page.url()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => broken.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) broken.push(`${page.url()}: ${message.text()}`)
  })
  return broken
}

/** By how much the page is wider than a phone, if at all. */
async function tooWide(page: Page, path: string): Promise<string[]> {
  await page.setViewportSize({ width: 390, height: 844 })
  let width = 0
  // Grids take their new places after the window has changed.
  const fits = async () => {
    width = await page.evaluate(() => document.documentElement.scrollWidth)
    return width <= 390
  }
  await expect
    .poll(fits)
    .toBe(true)
    .catch(() => undefined)
  await page.setViewportSize({ width: 1280, height: 860 })
  return width > 390 ? [`${path} is ${width} px wide on a phone`] : []
}

test.describe.configure({ mode: 'parallel' })

for (const who of ['guest', 'person', 'admin'] as const satisfies Who[]) {
  test(`every page of a ${who} passes the accessibility rules, obeys the content policy and fits a phone`, async ({
    page,
  }) => {
    const broken = complaints(page)
    await signInAs(page, who)
    const pages = pagesOf(who, await findKnown(page))
    for (const { path } of pages) broken.push(...(await faultsOf(page, path)), ...(await tooWide(page, path)))
    expect(broken).toEqual([])
  })
}

test('the empty pages of a new user pass the accessibility rules', async ({ page }) => {
  const broken = complaints(page)
  await signUp(page)
  const me = ((await (await page.request.get('/api/auth')).json()) as { _id: string })._id
  const empty = [
    '/jobs',
    '/pictures',
    ...['workflows', 'image-files', 'favorite'].map((tab) => `/profile/${me}/${tab}`),
  ]
  for (const path of empty) broken.push(...(await faultsOf(page, path)))
  const draft = await makeDraft(page)
  const app = await findApp(page, { image: true })
  for (const path of [`/workflows/${draft}`, `/workflows/edit/${draft}?isUpload=true`, `/easy-app/${app.id}`]) {
    broken.push(...(await faultsOf(page, path)))
  }
  expect(broken).toEqual([])
})

test('the menu of a phone opens and closes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Main' })).toBeHidden()
})

test('an API key is shown once, works, and stops working when revoked', async ({ page, playwright, baseURL }) => {
  await signUp(page)
  await page.goto('/account?tab=keys')
  await page.getByLabel('Name of the key').fill('render script')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your new key' })
  const key = (await dialog.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^vg_/)
  await dialog.getByRole('button', { name: 'I have copied it' }).click()

  const program = await playwright.request.newContext({ baseURL: baseURL ?? '', extraHTTPHeaders: { 'api-key': key } })
  expect((await program.get('/api/general/credit')).status()).toBe(200)
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page
    .getByRole('dialog', { name: /render script/ })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await expect(page.getByText('Revoked', { exact: true })).toBeVisible()
  expect((await program.get('/api/general/credit')).status()).toBe(401)
  await program.dispose()
})
