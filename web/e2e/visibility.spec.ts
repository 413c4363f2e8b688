import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { expectToast } from './checklist/row'
import { makePost, signUp } from './people'
import { sendRequest, signInAs } from './site-pages'

// The checklist mocks responses; here the server's own rules decide who may publish, hide, mark and delete. Each step
// also checks what a guest sees.

/** Creates unique pictures of the signed-in user and returns their ids, newest first. */
async function makePictures(page: Page, count: number): Promise<string[]> {
  const listed = async () => {
    const answer = await page.request.get('/api/general/output-asset/my?limit=10')
    return ((await answer.json()) as { items: { _id: string }[] }).items.map((one) => one._id)
  }
  const before = await listed()
  for (let at = 0; at < count; at += 1) {
    const color = Math.floor(Math.random() * 0xffffff)
    const prompt = {
      1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color } },
      2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'e2e' } },
    }
    expect((await sendRequest(page, 'post', '/api/general/job/prompt', { prompt })).status()).toBe(201)
  }
  const fresh = async () => (await listed()).filter((id) => !before.includes(id))
  await expect.poll(async () => (await fresh()).length, { timeout: 60_000 }).toBe(count)
  return fresh()
}

/** Selects a picture, the newest by default, and clicks an action above the grid. */
async function select(page: Page, action: string, place = 0) {
  await page.goto('/pictures')
  await page.getByRole('list', { name: 'My pictures' }).getByRole('checkbox').nth(place).click()
  await page.getByRole('region', { name: 'Selected pictures' }).getByRole('button', { name: action }).click()
}
const answerDialog = (page: Page, title: string | RegExp, action: string) =>
  page.getByRole('dialog', { name: title }).getByRole('button', { name: action, exact: true }).click()

const pictureSeen = async (guest: APIRequestContext, id: string) => {
  const shown = await guest.get(`/api/public/output-asset/${id}`)
  return shown.ok() ? ((await shown.json()) as { isNsfw: boolean }) : null
}

test('a picture is published, kept public by the Free plan, marked, hidden by an admin and deleted', async ({
  page,
  browser,
  request,
}) => {
  await signUp(page)
  const [newest, other] = await makePictures(page, 2)
  if (!newest || !other) throw new Error('two pictures were not created')

  await select(page, 'Publish')
  const question = page.getByRole('dialog', { name: 'Publish this picture?' })
  await expect(question.getByText('On the Free plan you cannot make it private again.')).toBeVisible()
  expect(await pictureSeen(request, newest)).toBeNull()
  await question.getByRole('button', { name: 'Publish' }).click()
  await expectToast(page, 'The picture is public now.')
  expect(await pictureSeen(request, newest)).toMatchObject({ isNsfw: false })

  await page.goto(`/gallery/${newest}`)
  await expect(page.getByText('Your plan cannot make it private again; you can delete it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Make private' })).toHaveCount(0)
  const refused = await sendRequest(page, 'patch', '/api/general/output-asset/privates', {
    ids: [newest],
    isPrivate: true,
  })
  expect(((await refused.json()) as { code: string }).code).toBe('STEALTH_MODE_REQUIRED')

  const context = await browser.newContext()
  const admin = await context.newPage()
  await signInAs(admin, 'admin')
  await admin.goto(`/admin/gallery/${newest}`)
  await admin.getByRole('button', { name: 'Mark as NSFW' }).click()
  await expectToast(admin, 'The setting has been changed.')
  expect(await pictureSeen(request, newest)).toMatchObject({ isNsfw: true })

  // An own picture, with the undo that admins and plans with Stealth Mode have.
  const [own] = await makePictures(admin, 1)
  await select(admin, 'Publish')
  await expect(admin.getByText('You can make it private again at any time.')).toBeVisible()
  await answerDialog(admin, 'Publish this picture?', 'Publish')
  await expectToast(admin, 'The picture is public now.')
  await select(admin, 'Make private')
  await answerDialog(admin, 'Make 1 picture private?', 'Make private')
  await expectToast(admin, '1 picture is private now.')
  expect(await pictureSeen(request, String(own))).toBeNull()
  await context.close()

  await select(page, 'Delete', 1)
  await answerDialog(page, 'Delete 1 picture?', 'Delete')
  await expectToast(page, '1 picture was deleted.')
  expect((await page.request.get(`/api/general/output-asset/${other}`)).status()).toBe(404)
  // The public one on its own page: an NSFW picture would be first in the gallery for later tests.
  await page.goto(`/gallery/${newest}`)
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await answerDialog(page, 'Delete this picture?', 'Delete')
  await expect.poll(() => pictureSeen(request, newest)).toBeNull()
})

test('admins hide, show and mark the workflow of another user', async ({ page, browser, request }) => {
  const context = await browser.newContext()
  const author = await context.newPage()
  await signUp(author)
  const name = `Kite ${Date.now()}`
  const post = await makePost(author, name)
  await context.close()
  const seen = async () => {
    const shown = await request.get(`/api/public/workflow/${post}`)
    return shown.ok() ? ((await shown.json()) as { isNsfw: boolean }) : null
  }

  await signInAs(page, 'admin')
  await page.goto('/admin/workflow-files')
  const card = page.locator('article').filter({ hasText: name })
  await card.getByRole('button', { name: 'Public' }).click()
  expect(await seen()).not.toBeNull()
  await answerDialog(page, `Unpublish “${name}”?`, 'Unpublish')
  await expectToast(page, 'It is private now.')
  expect(await seen()).toBeNull()
  await card.getByRole('button', { name: 'SFW', exact: true }).click()
  await expectToast(page, 'The setting was changed.')

  // Both in reverse, after the page has loaded the state from the server.
  await page.reload()
  await card.getByRole('button', { name: 'Private' }).click()
  await expectToast(page, 'It is public now.')
  expect(await seen()).toMatchObject({ isNsfw: true })
  await card.getByRole('button', { name: 'NSFW', exact: true }).click()
  await expect.poll(seen).toMatchObject({ isNsfw: false })
})
