import { expect, type Page, test } from '@playwright/test'
import { fits, WINDOWS } from './fits'

/** Code and styles that fail to load on demand: without a connection, one by one, and for good. */
const LOST_PAGE = 'This page could not be loaded'
const LOST_PART = 'This part could not be loaded'

const again = (page: Page) => page.getByRole('button', { name: 'Try Again' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const toWorkflows = (page: Page) => page.getByRole('link', { name: 'Workflows', exact: true }).first().click()
const toPrivacy = (page: Page) => page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click()

async function open(page: Page, path = '/terms') {
  await page.goto(path)
  await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
}
const isSameDocument = (page: Page) => page.evaluate(() => 'isSameDocument' in window)

/** Blocks files until `giveBack` is called. `taken` counts the requests. */
async function takeAway(page: Page, files: RegExp, status?: number) {
  const count = { taken: 0 }
  await page.route(files, (route) => {
    count.taken += 1
    return status ? route.fulfill({ status, body: '' }) : route.abort()
  })
  return { count, giveBack: () => page.unroute(files) }
}

const shellIsThere = async (page: Page) => {
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('banner').getByRole('button').first()).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
}

for (const viewport of WINDOWS) {
  test(`a page opened offline appears when the connection is back, ${viewport.width} px wide`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize(viewport)
    await open(page)
    await context.setOffline(true)
    await toPrivacy(page)
    await expect(heading(page, LOST_PAGE)).toBeVisible()
    await expect(page.getByText('Loading continues when the connection is back')).toBeVisible()
    await expect(again(page).last()).toBeVisible()
    await shellIsThere(page)
    await fits(page, 'a page that did not arrive')
    await again(page).last().click()
    await expect(heading(page, LOST_PAGE)).toBeVisible()
    await context.setOffline(false)
    await expect(page).toHaveURL(/\/privacy$/)
    await expect(heading(page, LOST_PAGE)).toBeHidden()
    await expect(
      page
        .getByRole('main')
        .getByRole('heading', { name: /Privacy/ })
        .first(),
    ).toBeVisible()
    expect(await isSameDocument(page), 'nothing was reloaded').toBe(true)
  })
}

test('a page opened while the server is unreachable appears when it answers', async ({ page }) => {
  await open(page)
  // The browser still reports a network and requests the files. Some browsers cache such a failure until a reload.
  const { giveBack } = await takeAway(page, /./)
  await page.getByRole('link', { name: 'Gallery', exact: true }).first().click()
  await expect(heading(page, LOST_PAGE)).toBeVisible()
  await shellIsThere(page)
  await expect(page.getByText('Loading continues when the connection is back')).toBeVisible()
  await giveBack()
  await expect(heading(page, 'Gallery')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Gallery' }).locator('img').first()).toBeVisible()
})

for (const kind of ['js', 'css']) {
  test(`Try Again loads a page whose ${kind} file failed`, async ({ page }) => {
    await open(page)
    const { count, giveBack } = await takeAway(page, new RegExp(`/assets/apps-page-.*\\.${kind}`))
    await page.getByRole('link', { name: 'Mini apps', exact: true }).first().click()
    await expect(heading(page, LOST_PAGE)).toBeVisible()
    await shellIsThere(page)
    expect(count.taken).toBeGreaterThan(0)
    await giveBack()
    await again(page).click()
    await expect(heading(page, 'Mini apps')).toBeVisible()
    expect(await isSameDocument(page), 'nothing was reloaded').toBe(true)
    const styled = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].some(
          ({ href, sheet }) => href.includes('/apps-page-') && sheet,
        ),
      )
    await expect.poll(styled).toBe(true)
  })

  test(`Try Again loads a dialog whose ${kind} file failed`, async ({ page }) => {
    await open(page)
    const { giveBack } = await takeAway(page, new RegExp(`/assets/sign-form-.*\\.${kind}`))
    await page.getByRole('button', { name: 'Sign in' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Welcome back' })
    await expect(dialog.getByText(LOST_PART)).toBeVisible()
    await shellIsThere(page)
    await giveBack()
    await again(page).click()
    await expect(dialog.getByLabel('E-mail')).toBeVisible()
    expect(await isSameDocument(page), 'nothing was reloaded').toBe(true)
  })
}

test('Try Again loads a page whose texts failed', async ({ page }) => {
  const { giveBack } = await takeAway(page, /\/assets\/rest-.*\.js/)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await toWorkflows(page)
  await expect(heading(page, LOST_PAGE)).toBeVisible()
  await shellIsThere(page)
  await giveBack()
  await again(page).click()
  await expect(heading(page, 'Workflows')).toBeVisible()
})

test('Try Again reloads the site if a page file no longer exists', async ({ page }) => {
  await open(page)
  const { giveBack } = await takeAway(page, /\/assets\/apps-page-/, 404)
  await page.getByRole('link', { name: 'Mini apps', exact: true }).first().click()
  await expect(heading(page, LOST_PAGE)).toBeVisible()
  expect(await isSameDocument(page), 'nothing is reloaded before a press').toBe(true)
  // The reloaded document requests the files of the new version.
  page.on('request', (request) => request.isNavigationRequest() && void giveBack())
  await again(page).click()
  await expect(heading(page, 'Mini apps')).toBeVisible()
  expect(await isSameDocument(page)).toBe(false)
})
