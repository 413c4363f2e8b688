import { type Browser, expect, type Page, test } from '@playwright/test'
import { faultsOf } from './axe'
import { confirmationCode } from './mail'
import { signUp } from './people'
import { sendRequest, signInAs } from './site-pages'

/** Signs in the author of demo posts and returns one of the posts. */
async function authorWithPost(page: Page): Promise<{ name: string; post: string }> {
  await signInAs(page, 'person')
  const { _id, name } = (await (await page.request.get('/api/auth')).json()) as { _id: string; name: string }
  const list = (await (await page.request.get(`/api/public/workflow/published/${_id}`)).json()) as {
    items: { _id: string }[]
  }
  const post = list.items[0]?._id
  if (!post) throw new Error(`${name} has published nothing`)
  return { name, post }
}

/** A new user in a separate browser with a confirmed address, who may write comments. */
async function reader(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  const email = await signUp(page, 'Bo')
  const code = await confirmationCode(email)
  expect((await sendRequest(page, 'post', '/api/auth/verify-email', { code })).ok()).toBe(true)
  return page
}

const bell = (page: Page) => page.getByRole('button', { name: /^Notifications(,|$)/ })
const commentWith = (page: Page, words: string) => page.getByRole('article').filter({ hasText: words })

/** Opens a post and waits for the content above the comments, which would move buttons during a click. */
async function openPost(page: Page, post: string): Promise<void> {
  await page.goto(`/workflows/${post}`)
  await expect(page.getByRole('heading', { name: 'Earlier runs' })).toBeVisible()
}

/** Opens an editor, waits for its focus and types. */
async function type(page: Page, opener: string, field: string, words: string): Promise<void> {
  await page.getByRole('button', { name: opener }).click()
  await expect(page.getByRole('textbox', { name: field })).toBeFocused()
  await page.keyboard.type(words)
}
const comment = (page: Page, words: string) => type(page, 'Say something about it…', 'Write a comment', words)

test('comments and replies below a workflow notify both users live', async ({ page, browser }) => {
  const { name, post } = await authorWithPost(page)
  const other = await reader(browser)
  const words = `Lovely folds ${Date.now()}`

  // The author has no unread notifications and opens an unrelated page.
  const seen = await sendRequest(page, 'patch', '/api/general/notification-box/check-all/ALL')
  expect(seen.ok()).toBe(true)
  await page.goto('/jobs')
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await openPost(other, post)
  await other.getByRole('button', { name: 'Say something about it…' }).click()
  const editor = other.getByRole('textbox', { name: 'Write a comment' })
  await expect(editor).toBeFocused()
  await expect(other.getByRole('button', { name: 'Post', exact: true })).toBeDisabled()
  await other.getByRole('button', { name: 'Bold' }).click()
  await other.keyboard.type(words)
  // The draft survives a reload.
  await other.reload()
  await expect(other.getByRole('textbox', { name: 'Write a comment' })).toContainText(words)
  await other.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(commentWith(other, words).locator('strong')).toHaveText(words)

  // The notification arrives without a reload and links to the comment.
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await bell(page).click()
  const box = page.getByRole('dialog', { name: 'Notifications' })
  await box
    .getByRole('link', { name: /^Bo commented on/ })
    .first()
    .click()
  await expect(page).toHaveURL(new RegExp(`/workflows/${post}\\?comment=`))
  await expect(commentWith(page, words)).toBeFocused()
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await commentWith(page, words).getByRole('button', { name: 'Like, 0', exact: true }).click()
  await expect(commentWith(page, words).getByRole('button', { name: 'Like, 1', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await commentWith(page, words).getByRole('button', { name: 'Reply' }).click()
  await expect(page.getByRole('textbox', { name: 'Write a reply' })).toBeFocused()
  const answer = `Thank you ${Date.now()}`
  await page.keyboard.type(answer)
  await page.keyboard.press('Control+Enter')
  await expect(commentWith(page, answer)).toBeVisible()

  // The reply notifies its recipient and appears in the history, where it is marked as read.
  await expect(bell(other)).toHaveAccessibleName('Notifications, 1 unread')
  await other.goto('/notification/history?type=COMMENT')
  await expect(other.getByRole('link', { name: new RegExp(`^${name} replied to your comment on`) })).toBeVisible()
  await other.getByRole('button', { name: 'Mark as read' }).click()
  await expect(bell(other)).toHaveAccessibleName('Notifications')
  await other.getByRole('button', { name: 'Likes', exact: true }).click()
  await expect(other).toHaveURL(/type=LIKE$/)
  await expect(other.getByText('Nothing here yet')).toBeVisible()

  // A deleted comment leaves a placeholder above its replies.
  await openPost(other, post)
  const menu = commentWith(other, words).getByRole('button', { name: /^More about the comment/ })
  await menu.click()
  await other.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(other.getByRole('textbox', { name: 'Edit the comment' })).toBeFocused()
  await other.keyboard.press('End')
  await other.keyboard.type(', indeed')
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(commentWith(other, `${words}, indeed`)).toContainText('edited')
  await menu.click()
  await other.getByRole('menuitem', { name: 'Delete' }).click()
  await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(commentWith(other, words)).toHaveCount(0)
  await expect(other.getByText('This comment was deleted.').first()).toBeVisible()
  await expect(commentWith(other, answer)).toBeVisible()
  await other.close()
})

test('a blocked user cannot comment until unblocked', async ({ page, browser }) => {
  const { post } = await authorWithPost(page)
  const other = await reader(browser)
  const words = `Unwelcome ${Date.now()}`
  await openPost(other, post)
  await comment(other, words)
  await other.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(commentWith(other, words)).toBeVisible()

  await openPost(page, post)
  await commentWith(page, words).getByRole('button', { name: 'More about the comment by Bo' }).click()
  await page.getByRole('menuitem', { name: 'Block author' }).click()
  await page.getByRole('dialog', { name: 'Block Bo?' }).getByRole('button', { name: 'Block' }).click()
  await expect(commentWith(page, words)).toHaveCount(0)

  await comment(other, 'Once more')
  await other.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(other.getByText('the author does not accept comments from you', { exact: false })).toBeVisible()

  await page.goto('/account#notifications')
  await page.getByRole('button', { name: 'Unblock Bo' }).first().click()
  await expect(page.getByText('Bo is no longer blocked.')).toBeVisible()
  await openPost(page, post)
  await expect(commentWith(page, words)).toBeVisible()
  await other.close()
})

test('on a phone the comments of a picture open as a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const list = (await (await page.request.get('/api/public/output-asset?limit=1')).json()) as {
    items: { _id: string }[]
  }
  const picture = list.items[0]?._id
  await page.goto(`/gallery/${picture}`)
  await page.getByRole('button', { name: /^Comments/ }).click()
  const sheet = page.getByRole('dialog', { name: /^Comments/ })
  await expect(sheet.getByRole('button', { name: 'Sign in to write a comment' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  // The picture is still open.
  await expect(page.getByRole('dialog')).toBeVisible()
})

test('comments, notifications and settings pass the accessibility rules', async ({ page }) => {
  const { post } = await authorWithPost(page)
  const open = async () => {
    await bell(page).click()
    await expect(page.getByRole('dialog', { name: 'Notifications' }).getByRole('heading')).toBeVisible()
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  const write = async () => {
    await page.getByRole('button', { name: 'Say something about it…' }).click()
    await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeVisible()
  }
  const faults = [
    ...(await faultsOf(page, `/workflows/${post}`, write)),
    ...(await faultsOf(page, '/notification/history')),
    ...(await faultsOf(page, '/jobs', open)),
    ...(await faultsOf(page, '/account#notifications')),
    ...(await faultsOf(page, '/unsubscribe#code=abc')),
  ]
  expect(faults).toEqual([])
})
