import { expect, type Page, test } from '@playwright/test'
import { faultsOf } from './axe'
import { makePost, signUp } from './people'
import { sendRequest, signInAs } from './site-pages'

const idOf = async (page: Page) => ((await (await page.request.get('/api/auth')).json()) as { _id: string })._id

/** Fills in and submits the open report. */
async function report(page: Page, words: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Report' })
  await dialog.getByRole('radio', { name: /Copyright/ }).check()
  await dialog.getByLabel('Anything else we should know?', { exact: false }).fill(words)
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Thank you for your report')).toBeVisible()
  await expect(dialog).toBeHidden()
}

test('a reported workflow is hidden, its author banned and notified, and the log names the admin', async ({
  page,
  browser,
}) => {
  const name = `Boats ${Date.now()}`
  const [authors, admins] = await Promise.all([browser.newContext(), browser.newContext()])
  const author = await authors.newPage()
  await signUp(author, 'Mallory')
  const post = await makePost(author, name)

  await signUp(page, 'Rita')
  const faults = await faultsOf(page, `/workflows/${post}`, async () => {
    await page.getByRole('main').getByRole('button', { name: 'Report', exact: true }).click()
    await expect(page.getByRole('dialog', { name: 'Report' }).getByRole('radio')).toHaveCount(7)
  })
  await report(page, 'This is my picture')

  const admin = await admins.newPage()
  await signInAs(admin, 'admin')
  faults.push(
    ...(await faultsOf(admin, '/admin/moderation', async () => {
      await admin.getByRole('link', { name: new RegExp(name) }).click()
      await expect(admin.getByRole('heading', { name })).toBeVisible()
      await expect(admin.getByText('This is my picture')).toBeVisible()
      await admin.getByLabel('Warn the author').check()
      await admin.getByLabel('Ban the author').check()
    })),
  )
  expect(faults).toEqual([])
  await admin.getByRole('textbox', { name: 'Warning' }).fill('Only post what is yours.')
  await admin.getByLabel('Reason', { exact: true }).fill('another artist’s work')
  await admin.getByRole('button', { name: 'Hide it' }).click()
  const question = admin.getByRole('dialog', { name: `Hide “${name}”?` })
  await expect(question).toContainText('Mallory will also be banned: 7 days.')
  await question.getByRole('button', { name: 'Hide it' }).click()
  await expect(admin.getByText('It was hidden', { exact: true })).toBeVisible()
  await expect(admin.getByRole('button', { name: 'Restore it' })).toBeVisible()

  await author.goto('/')
  const ban = author.getByRole('region', { name: 'Your ban' })
  await expect(ban).toContainText('another artist’s work')
  const box = (await (await author.request.get('/api/general/notification-box/list/NOTICE/10')).json()) as {
    items: { content: string }[]
  }
  expect(box.items.some(({ content }) => content.includes('Only post what is yours.'))).toBe(true)
  await page.goto(`/workflows/${post}`)
  await expect(page.getByRole('heading', { name })).toHaveCount(0)

  const person = await idOf(author)
  await admin.goto(`/admin/audit?target=${person}`)
  await admin.locator('summary', { hasText: 'Hid reported content' }).click()
  await expect(admin.getByText('Only post what is yours.')).toBeVisible()
  await admin.goto(`/admin/user/info?user=${person}`)
  await admin.getByRole('button', { name: 'Lift the ban' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Lift the ban' }).click()
  await expect(admin.getByText('The ban was lifted')).toBeVisible()
  await author.reload()
  await expect(author.getByRole('button', { name: 'Your menu' })).toBeVisible()
  await expect(ban).toHaveCount(0)
  await Promise.all([authors.close(), admins.close()])
})

test('a guest signs in before reporting, and a picture is reported from its page', async ({ page }) => {
  const list = (await (await page.request.get('/api/public/output-asset?limit=1')).json()) as {
    items: { _id: string }[]
  }
  const picture = list.items[0]?._id ?? ''
  await page.goto(`/gallery/${picture}`)
  await page.getByRole('button', { name: 'Report' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Password' })).toBeVisible()
  await signUp(page)
  await page.goto(`/gallery/${picture}`)
  await page.getByRole('button', { name: 'Report' }).click()
  await report(page, 'I took this photograph')
})

test('a comment is reported from its menu, and only admins see hidden comments', async ({ page, browser }) => {
  const [authors, admins] = await Promise.all([browser.newContext(), browser.newContext()])
  const author = await authors.newPage()
  await signUp(author, 'Mallory')
  const post = await makePost(author, `Trees ${Date.now()}`)
  const words = `rude words ${Date.now()}`
  const response = await sendRequest(author, 'post', '/api/general/comment', {
    workflow: post,
    content: `<p>${words}</p>`,
  })
  expect(response.status()).toBe(201)

  await signUp(page, 'Rita')
  await page.goto(`/workflows/${post}`)
  await page.getByRole('button', { name: 'More about the comment by Mallory' }).click()
  await page.getByRole('menuitem', { name: 'Report' }).click()
  await report(page, 'Rude')

  const admin = await admins.newPage()
  await signInAs(admin, 'admin')
  await admin.goto('/admin/moderation?kind=Comment')
  await admin.getByRole('link', { name: new RegExp(words) }).click()
  await admin.getByRole('button', { name: 'Hide it' }).click()
  await admin.getByRole('dialog', { name: /^Hide/ }).getByRole('button', { name: 'Hide it' }).click()
  await expect(admin.getByText('It was hidden', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('hidden by a moderator', { exact: false })).toBeVisible()
  await expect(page.getByText(words)).toHaveCount(0)

  await admin.goto(`/admin/list/comments?keyword=${encodeURIComponent(words)}`)
  await expect(admin.getByText(words)).toBeVisible()
  await admin.getByRole('button', { name: 'Actions for the comment by Mallory' }).click()
  await admin.getByRole('menuitem', { name: 'Delete' }).click()
  await admin
    .getByRole('dialog', { name: /^Delete/ })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(admin.getByText('The comment was deleted')).toBeVisible()
  await expect(admin.getByText(words)).toHaveCount(0)
  await Promise.all([authors.close(), admins.close()])
})
