import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { fits, LONG_FILE, WINDOWS } from './fits'
import { drawPicture, findApp, signUp } from './people'

for (const viewport of WINDOWS) {
  test(`a long file name fits, and Run waits for the file, ${viewport.width} px wide`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await signUp(page)
    const app = await findApp(page, { image: true })
    await page.goto(`/easy-app/${app.id}`)
    let arrive = () => {}
    const arrived = new Promise<void>((done) => {
      arrive = done
    })
    await page.route('**/api/general/asset/file/image', async (route) => {
      await arrived
      await route.continue()
    })
    const picture = { ...(await drawPicture(page)), name: LONG_FILE }
    await page.locator('input[type=file]').first().setInputFiles(picture)
    await expect(page.getByRole('button', { name: 'Uploading...' })).toBeDisabled()
    arrive()
    await expect(page.getByAltText(`Chosen picture ${LONG_FILE}`)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
    await fits(page, 'a long file name')
    await page.setViewportSize({ width: 320, height: 700 })
    await fits(page, 'a long file name, 320 px wide')
  })
}

const tab = async (context: BrowserContext, path: string): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(path)
  return page
}

test('signing out in one tab signs out the others', async ({ page, context }) => {
  await signUp(page)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
  const other = await tab(context, '/jobs')
  await expect(other.getByRole('button', { name: 'Your menu' })).toBeVisible()
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(other.getByRole('button', { name: 'Your menu' })).toBeHidden()
  await expect(other.getByRole('complementary').getByRole('button', { name: 'Sign in' })).toBeVisible()
})

test('a lost connection shows a banner, and pages recover when it is back', async ({ page, context }) => {
  await page.goto('/apps')
  const first = page.getByRole('main').getByRole('heading', { level: 3 }).first()
  await expect(first).toBeVisible()
  await context.setOffline(true)
  const banner = page.getByText('No connection to the server. Everything continues when it is back.')
  await expect(banner).toBeVisible()
  await context.setOffline(false)
  await expect(banner).toBeHidden()
  await page.getByRole('link', { name: 'Workflows', exact: true }).first().click()
  await expect(page.getByRole('main').getByRole('heading', { level: 3 }).first()).toBeVisible()
})

test('a reload and going back keep the scroll position', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.goto('/workflows')
  await expect(page.getByRole('main').getByRole('heading', { level: 3 }).first()).toBeVisible()
  const at = () => page.evaluate(() => Math.round(window.scrollY))
  // Content above may be one line higher while it loads.
  const offBy = async () => Math.abs((await at()) - 300)
  await page.evaluate(() => window.scrollTo(0, 300))
  await expect.poll(at).toBe(300)
  await page.reload()
  await expect.poll(offBy).toBeLessThan(8)
  await page.getByRole('main').getByRole('heading', { level: 3 }).getByRole('link').last().click()
  await expect(page).toHaveURL(/\/workflows\/./)
  await page.goBack()
  await expect.poll(at).toBeGreaterThan(200)
})

test("a guest's console has no errors, and a name with a dot is a page", async ({ page }) => {
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto('/apps')
  await expect(page.getByRole('main').getByRole('heading', { level: 3 }).first()).toBeVisible()
  expect(faults).toEqual([])
  await page.goto('/search/anna.b')
  await expect(page.getByText('This page does not exist')).toBeVisible()
})
