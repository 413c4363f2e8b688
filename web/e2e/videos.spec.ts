import type { Server } from 'node:http'
import { expect, type Page, test } from '@playwright/test'
import { faultsOf } from './axe'
import { signInAs } from './site-pages'
import { liftByKeyboard } from './sorting'
import { startYouTube, VIDEO } from './youtube'

let youtube: Server
test.beforeAll(async () => {
  youtube = await startYouTube()
})
test.afterAll(() => youtube.close())

/** Requests of the page to other servers. All of them are blocked. */
async function strangersOf(page: Page): Promise<string[]> {
  const asked: string[] = []
  await page.route(
    (url) => url.hostname !== 'localhost',
    (route) => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>player</title>' })
    },
  )
  return asked
}

test('a guest watches a picked video, and YouTube is contacted only after play', async ({ page, browser }) => {
  await signInAs(page, 'admin')
  await page.goto('/admin/youtube-community')
  await page.getByLabel('YouTube address').fill('https://www.youtube.com/watch?v=notThereAtA')
  await page.getByRole('button', { name: 'Add video' }).click()
  await expect(page.getByText('YouTube does not offer this video', { exact: false })).toBeVisible()
  await page.getByLabel('YouTube address').fill(`https://youtu.be/${VIDEO.id}?si=x`)
  await page.getByLabel('Published on').fill('2025-03-09')
  await page.getByRole('button', { name: 'Add video' }).click()
  await expect(page.getByText(`Added: ${VIDEO.title}`)).toBeVisible()

  const guest = await browser.newPage()
  const strangers = await strangersOf(guest)
  const broken: string[] = []
  guest.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) broken.push(message.text())
  })
  expect(await faultsOf(guest, '/youtube-community?keyword=silk')).toEqual([])
  const card = guest.getByRole('article')
  await expect(card.getByRole('heading', { name: VIDEO.title })).toBeVisible()
  await expect(card.getByText('2025.03.09')).toBeVisible()
  const preview = card.locator('img')
  await expect
    .poll(() => preview.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true)
  expect(strangers).toEqual([])

  await card.getByRole('button', { name: `Play ${VIDEO.title}` }).click()
  await expect(card.locator('iframe')).toHaveAttribute('sandbox', /allow-scripts/)
  await expect.poll(() => strangers).toEqual([`https://www.youtube-nocookie.com/embed/${VIDEO.id}?autoplay=1&rel=0`])
  expect(broken).toEqual([])

  await guest.getByRole('searchbox').fill('nothing like this')
  await guest.keyboard.press('Enter')
  await expect(guest.getByText('No video matches')).toBeVisible()
  await guest.close()

  await page.getByRole('button', { name: `Remove ${VIDEO.title}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('The video was removed.')).toBeVisible()
})

test('tags and basic workflows are sorted by keyboard', async ({ page }) => {
  await signInAs(page, 'admin')
  await page.goto('/admin/workflow-tags')
  const groups = page.getByRole('list', { name: 'Tag groups' }).locator(':scope > li')
  const names = () => groups.locator('[aria-expanded] [lang=en]').allTextContents()
  await expect(groups.nth(1)).toBeVisible()
  const before = await names()
  await moveDown(page, groups.first().getByRole('button', { name: /^Move / }))
  await expect.poll(names).toEqual([before[1], before[0], ...before.slice(2)])
  await page.reload()
  await expect.poll(names).toEqual([before[1], before[0], ...before.slice(2)])
  await moveDown(page, groups.first().getByRole('button', { name: /^Move / }))
  await expect.poll(names).toEqual(before)

  await page.goto('/admin/basic-workflows-manager')
  const chosen = page.getByRole('list', { name: 'Chosen' })
  await expect(chosen.getByRole('link').nth(1)).toBeVisible()
  const first = await chosen.getByRole('link').allTextContents()
  await moveDown(page, chosen.getByRole('button', { name: /^Move / }).first())
  const moved = [first[1], first[0], ...first.slice(2)]
  await expect.poll(() => chosen.getByRole('link').allTextContents()).toEqual(moved)
  await page.goto('/basic-workflows')
  await expect(page.getByRole('article').first().getByRole('heading')).toHaveText(moved[0] ?? '')
  await page.goto('/admin/basic-workflows-manager')
  await moveDown(page, chosen.getByRole('button', { name: /^Move / }).first())
  await expect.poll(() => chosen.getByRole('link').allTextContents()).toEqual(first)
})

/** Moves an entry down one place by keyboard and waits until the server has saved it. */
async function moveDown(page: Page, handle: ReturnType<Page['getByRole']>): Promise<void> {
  await handle.focus()
  const kept = page.waitForResponse((response) => response.request().method() === 'PUT')
  await liftByKeyboard(page, 1, 2)
  await page.keyboard.press('Space')
  expect((await kept).ok()).toBe(true)
}

test('terms and privacy policy can be read before accepting', async ({ page, context }) => {
  await page.goto('/signup')
  await page.getByLabel('E-mail').fill('someone@example.com')
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Read the terms of use in a new tab' }).click()
  const terms = await opened
  await expect(terms.getByRole('heading', { level: 1, name: 'Terms of use' })).toBeVisible()
  await terms.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Contact' }).click()
  await expect(terms.getByRole('heading', { name: 'Contact' })).toBeInViewport()
  await terms.close()
  await expect(page.getByLabel('E-mail')).toHaveValue('someone@example.com')
})
