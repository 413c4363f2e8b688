import { expect, test } from '@playwright/test'
import { faultsOf } from './axe'
import { findApp, findPost, makeDraft, signUp } from './people'

test('every page passes the accessibility rules and keeps the content policy', async ({ page }) => {
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(`${page.url()}: ${error.message}`))
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) broken.push(`${page.url()}: ${message.text()}`)
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const check = async (path: string) => broken.push(...(await faultsOf(page, path)))
  const app = await findApp(page, { image: true })
  const post = await findPost(page)
  for (const path of ['/', '/apps', '/login', '/signup', '/nowhere', '/jobs']) await check(path)
  for (const path of [
    '/forgot-password',
    '/reset-password#code=x',
    '/verify-email',
    '/login/google?error=access_denied',
  ])
    await check(path)
  for (const path of ['/workflows', '/basic-workflows', '/search?q=light', '/mobile-search', `/workflows/${post}`]) {
    await check(path)
  }
  await signUp(page)
  const draft = await makeDraft(page)
  for (const path of [
    '/',
    `/workflows/${post}`,
    `/workflows/${draft}`,
    `/workflows/edit/${draft}?isUpload=true`,
    `/easy-app/${app.id}`,
    '/jobs',
    '/pictures',
    '/account',
    '/account?tab=subscription',
    '/account?tab=coupon',
    '/account?tab=keys',
    '/account?tab=credits',
  ]) {
    await check(path)
  }
  expect(broken).toEqual([])
})

test('no page is wider than a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signUp(page)
  const draft = await makeDraft(page)
  const app = await findApp(page, { image: true })
  const post = await findPost(page)
  for (const path of [
    '/',
    '/apps',
    '/workflows',
    '/basic-workflows',
    '/search?q=light',
    '/mobile-search',
    `/workflows/${post}`,
    `/workflows/edit/${draft}?isUpload=true`,
    `/easy-app/${app.id}`,
    '/jobs',
    '/pictures',
    '/account',
    '/account?tab=subscription',
    '/account?tab=coupon',
    '/account?tab=credits',
    '/account?tab=keys',
  ]) {
    await page.goto(path)
    await expect(page.locator('h1').first()).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, path).toBeLessThanOrEqual(390)
  }
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Main' })).toBeHidden()
})

test('an API key is shown once, works and stops working when it is revoked', async ({ page, playwright, baseURL }) => {
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
