import { expect, type Page, test } from '@playwright/test'
import { drawPicture, fillQueue, findApp, signUp } from './people'

const jobOf = (page: Page) => new URL(page.url()).searchParams.get('job')
const statusOf = async (page: Page, job: string) =>
  ((await (await page.request.get(`/api/general/job/${job}/status`)).json()) as { status: string }).status

test('a user runs a mini app with an uploaded picture, watches it and keeps the result', async ({ page }) => {
  await signUp(page)
  const app = await findApp(page, { image: true })
  await page.goto(`/easy-app/${app.id}`)
  await expect(page.getByRole('heading', { level: 1, name: app.name })).toBeVisible()
  await expect(page.getByText('Run the API to generate images!')).toBeVisible()

  const picture = await drawPicture(page)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  await expect(page.getByAltText(`Chosen picture ${picture.name}`)).toBeVisible()

  // A running job's messages are short-lived, so they are recorded as they appear.
  await page.evaluate(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      for (const node of document.querySelectorAll('[role=status]')) seen.push(node.textContent ?? '')
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open picture 1 in full' })).toBeVisible({ timeout: 60_000 })
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen.some((text) => ['Pending...', 'Connecting...', 'Connected!', 'Running...'].includes(text))).toBe(true)

  const shown = page.getByAltText('Output picture 1')
  const width = () => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)
  await expect.poll(width).toBeGreaterThan(0)

  const job = jobOf(page)
  expect(job).not.toBeNull()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Open picture 1 in full' })).toBeVisible()
  expect(jobOf(page)).toBe(job)
  await expect(page.getByAltText(`Chosen picture ${picture.name}`)).toBeVisible()

  await page.goto('/pictures')
  const mine = page.getByRole('list', { name: 'My pictures' }).getByRole('listitem')
  await expect(mine).not.toHaveCount(0)
  await mine.first().getByRole('link').click()
  await expect(page.getByRole('dialog', { name: 'Picture' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/pictures$/)

  await page.goto('/jobs')
  await expect(page.getByRole('link', { name: app.name })).toBeVisible()
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible()
})

test('a guest who presses Run signs in and finds the form unchanged', async ({ page }) => {
  const app = await findApp(page, { image: false })
  await page.goto(`/easy-app/${app.id}`)
  await page.getByRole('button', { name: 'Sign in to run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Welcome back' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('a canceled job stops and shows its status', async ({ page }) => {
  await signUp(page)
  const app = await findApp(page, { image: false })
  await page.goto(`/easy-app/${app.id}`)
  // The job waits behind others, which leaves time to cancel it however slow the page is.
  await fillQueue(page, app.id, 20)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel job' }).click()
  // The list of earlier runs shows it too.
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByText('Canceled', { exact: true })).toBeVisible()
  expect(await statusOf(page, jobOf(page) ?? '')).toBe('Canceled')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
})

test('a fixed seed is shown with the result and kept for the next run', async ({ page }) => {
  await signUp(page)
  const app = await findApp(page, { image: false })
  await page.goto(`/easy-app/${app.id}`)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const keep = page.getByRole('button', { name: 'Keep this seed' }).first()
  await expect(keep).toBeEnabled({ timeout: 60_000 })
  await keep.click()
  await expect(page.getByRole('radio', { name: 'Fixed' }).first()).toHaveAttribute('aria-checked', 'true')
})
