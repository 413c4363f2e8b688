import { expect, type Page, test } from '@playwright/test'
import { drawPicture, signUp } from './people'
import { signInAs } from './site-pages'

const GRAPH = JSON.stringify({
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: 65_280 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'e2e' } },
})

/** Uploads a workflow file, fills in the upload step and returns the workflow's id. */
async function upload(page: Page, name: string): Promise<string> {
  await page.goto('/workflows')
  await page.getByRole('button', { name: 'Upload workflow' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload a workflow' })
  await dialog.locator('input[type=file]').setInputFiles({
    name: `${name}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(GRAPH),
  })
  await expect(dialog.getByLabel('Name')).toHaveValue(name)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(page).toHaveURL(/\/workflows\/edit\/[0-9a-f-]+\?isUpload=true$/)
  return page.url().match(/edit\/([0-9a-f-]+)/)?.[1] ?? ''
}

test('an uploaded workflow file becomes a post that others find, like, copy and download', async ({
  page,
  browser,
}) => {
  await signUp(page)
  const name = `Green square ${Date.now()}`
  const id = await upload(page, name)
  await page
    .locator('input[data-testid=pictures]')
    .setInputFiles([await drawPicture(page, 320), await drawPicture(page, 256)])
  await expect(page.getByRole('button', { name: 'Remove picture 2' })).toBeVisible()

  // By keyboard: lift the second picture, move it before the first, drop it.
  const second = page.getByRole('button', { name: 'Move picture 2', exact: true })
  const address = await second.locator('img').getAttribute('src')
  await second.focus()
  await page.keyboard.press('Space')
  // The places are measured by then.
  await expect(page.getByText('Over place 2')).toBeAttached()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByText('Over place 1')).toBeAttached()
  await page.keyboard.press('Space')
  await expect(page.getByText('Put down at place 1')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Move picture 1', exact: true }).locator('img')).toHaveAttribute(
    'src',
    address ?? '',
  )

  const editor = page.getByRole('textbox', { name: 'Description' })
  await editor.click()
  await page.getByRole('button', { name: 'Heading 2' }).click()
  await page.keyboard.type('What it is')
  await page.keyboard.press('Enter')
  await page.keyboard.type('A square, nothing else. ')
  await page.getByRole('button', { name: 'Bold' }).click()
  await expect(page.getByRole('button', { name: 'Bold' })).toHaveAttribute('aria-pressed', 'true')
  await expect(editor).toBeFocused()
  await page.keyboard.type('Quite green.')

  await page.getByRole('button', { name: 'Publish' }).click()
  await expect(page.getByText('please select at least one tag')).toBeVisible()
  await page.getByRole('button', { name: 'Style' }).click()
  await page.getByRole('button', { name: 'Abstract' }).click()
  await page.getByRole('button', { name: 'Publish' }).click()
  const question = page.getByRole('dialog', { name: `Publish “${name}”?` })
  await expect(question.getByText('On the Free plan you cannot make it private again.')).toBeVisible()
  await question.getByRole('button', { name: 'Publish' }).click()
  await expect(page).toHaveURL(`/workflows/${id}`)
  await expect(page.getByText('It is public now.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'What it is' })).toBeVisible()
  await expect(page.locator('strong', { hasText: 'Quite green.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Favorite' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Workflow preview' }).click()
  await expect(page.getByRole('img', { name: /Graph of .* with 2 nodes/ })).toBeVisible()

  const context = await browser.newContext()
  const other = await context.newPage()
  await signUp(other, 'Ada')
  await other.goto('/workflows')
  await other.getByRole('searchbox', { name: 'Search workflows' }).fill(name)
  await other.keyboard.press('Enter')
  await other.getByRole('link', { name }).click()
  await expect(other.getByRole('heading', { level: 1, name })).toBeVisible()
  await other.getByRole('button', { name: /^Favorite/ }).click()
  await expect(other.getByRole('button', { name: 'Favorite 1' })).toHaveAttribute('aria-pressed', 'true')
  const saving = other.waitForEvent('download')
  await other.getByRole('button', { name: 'Download JSON' }).click()
  expect((await saving).suggestedFilename()).toBe(`${name}.json`)
  await other.getByRole('button', { name: 'Make a copy' }).click()
  await other.getByRole('dialog', { name: 'Copy workflow' }).getByRole('button', { name: 'Copy' }).click()
  await expect(other.getByRole('heading', { level: 1, name: `Copy of ${name}` })).toBeVisible()
  await other.reload()
  await expect(other.getByText('Private', { exact: true })).toBeVisible()
  await context.close()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: `Delete “${name}”?` })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(page).toHaveURL('/workflows')
  expect((await page.request.get(`/api/public/workflow/${id}`)).status()).toBe(404)
})

test('edits survive a reload, and leaving the edit page asks', async ({ page }) => {
  await signUp(page)
  await upload(page, `Draft ${Date.now()}`)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByLabel('Name').fill('Another name')
  await page.reload()
  await expect(page.getByText('Unsaved changes from your last visit were restored.')).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Another name')
  await page.getByRole('link', { name: 'Mini apps' }).click()
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page).toHaveURL(/isUpload=true/)
})

test('going back keeps the loaded pages and the scroll position of a list', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 })
  await page.goto('/workflows')
  await expect(page.locator('article').first()).toBeVisible()
  const last = page.locator('article').nth(11)
  await last.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => Math.round(window.scrollY))
  expect(before).toBeGreaterThan(400)
  const name = (await last.getByRole('link').textContent()) ?? ''
  await last.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.goBack()
  await expect(page.locator('article').nth(11)).toBeVisible()
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBeGreaterThan(before - 60)
})

test('a demo post has pictures, tags and a mini app that Run leads to', async ({ page }) => {
  await signInAs(page, 'person')
  await page.goto('/workflows')
  // Posts of other users may come first, and some have no mini app: their Run opens the node editor.
  const answer = await page.request.get('/api/public/workflow')
  const { items } = (await answer.json()) as { items: { name: string; workflowApi?: unknown }[] }
  const name = items.find((item) => item.workflowApi)?.name ?? ''
  const runnable = page.locator('article').filter({ hasText: name }).first()
  await runnable.hover()
  await runnable.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page).toHaveURL(/\/workflows\/[0-9a-f-]+#run$/)
  await expect(page.getByRole('heading', { name: 'Try it here' })).toBeInViewport()
  await page.goto('/basic-workflows')
  await expect(page.locator('article').first()).toBeVisible()
  await page.goto('/search?parentTag=01970000-0000-7000-8000-000000000300')
  await expect(page.getByRole('heading', { level: 1, name: 'Style' })).toBeVisible()
  await expect(page.locator('article').first()).toBeVisible()
})

test('missing nodes and models are listed before a workflow file is uploaded', async ({ page }) => {
  await signUp(page)
  await page.goto('/workflows')
  await page.getByRole('button', { name: 'Upload workflow' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload a workflow' })
  const choose = (text: string) =>
    dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'graph.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  const wild = { 1: { class_type: 'WildText', inputs: { lora: 'styles\\unknown.safetensors' } } }
  await choose(JSON.stringify(wild))
  await expect(dialog.getByText('No connected worker has this node: WildText')).toBeVisible()
  await expect(dialog.getByText('No connected worker has this model: styles\\unknown.safetensors')).toBeVisible()
  await choose(GRAPH)
  await expect(dialog.getByText('No connected worker has')).toHaveCount(0)
})
