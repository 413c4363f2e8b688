import { type Browser, type BrowserContext, expect, type Locator, type Page, test } from '@playwright/test'
import { drawPicture, signUp, xsrf } from './people'
import { sendRequest } from './site-pages'
import { liftByKeyboard } from './sorting'

/** Three graphs that the built-in worker runs: a drawing, a picture that is scaled and put out of focus, and text. */
const GRAPHS = {
  drawing: {
    1: {
      class_type: 'VerdigraphFlowField',
      inputs: {
        width: 128,
        height: 96,
        seed: 3,
        palette: 'dusk',
        spacing: 7,
        turbulence: 1.6,
        scale: 1.6,
        ink: 0.62,
        ground: 'dark',
      },
    },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'drawing' } },
  },
  scaling: {
    1: { class_type: 'LoadImage', inputs: { image: 'example.png' } },
    2: {
      class_type: 'ImageScale',
      inputs: { image: ['1', 0], upscale_method: 'area', width: 40, height: 30, crop: 'disabled' },
    },
    3: { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'scaled' } },
  },
  words: {
    1: { class_type: 'PrimitiveString', inputs: { value: 'left' }, _meta: { title: 'First word' } },
    2: { class_type: 'PrimitiveString', inputs: { value: 'right' }, _meta: { title: 'Second word' } },
    3: { class_type: 'StringConcatenate', inputs: { string_a: ['1', 0], string_b: ['2', 0], delimiter: '-' } },
    4: { class_type: 'PreviewAny', inputs: { source: ['3', 0] } },
  },
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' })
const inputs = (page: Page) => page.getByRole('list', { name: 'Inputs', exact: true }).getByRole('article')
const order = async (page: Page) =>
  (
    await inputs(page)
      .getByRole('button', { expanded: false })
      .or(inputs(page).locator('[aria-controls]'))
      .allInnerTexts()
  ).map((words) => words.split('\n')[0] ?? '')
const result = (page: Page) => page.getByRole('region', { name: 'API result' })

async function makeWorkflow(page: Page, name: string, output: object): Promise<string> {
  const made = await sendRequest(page, 'post', '/api/general/workflow', { name, prompt: { output } })
  expect(made.status()).toBe(201)
  return ((await made.json()) as { _id: string })._id
}

/** Another user in a window of their own. */
async function visitor(
  browser: Browser,
  width = 1280,
): Promise<{ page: Page; email: string; context: BrowserContext }> {
  const context = await browser.newContext({ viewport: { width, height: 860 } })
  const page = await context.newPage()
  return { page, email: await signUp(page, 'Otto'), context }
}

/** The way of a card's handle to the place of another card, with both in the middle of the window. */
async function dragPath(handle: Locator, target: Locator): Promise<{ x: number; from: number; to: number }> {
  await handle.evaluate((node) => node.scrollIntoView({ block: 'center', behavior: 'instant' }))
  const [from, to] = [await handle.boundingBox(), await target.boundingBox()]
  if (!from || !to) throw new Error('the cards have no handles')
  return { x: from.x + from.width / 2, from: from.y + from.height / 2, to: to.y + to.height / 4 }
}

const savedApi = async (page: Page, workflow: string): Promise<string> => {
  const answer = await page.request.get(`/api/general/workflow-api/editor/${workflow}`)
  return ((await answer.json()) as { saved: { _id: string } }).saved._id
}

/** The user with whom an app is shared finds it and runs it with the form's defaults. */
async function runShared(
  page: Page,
  name: string,
  prepare?: () => Promise<void>,
  press = (control: Locator) => control.click(),
): Promise<void> {
  await page.goto('/apps?tab=shared')
  await press(page.getByRole('link', { name }).first())
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await prepare?.()
  await press(page.getByRole('button', { name: 'Run', exact: true }))
  await expect(page.getByRole('region', { name: 'Result' }).getByText('Done', { exact: true }).first()).toBeVisible({
    timeout: 60_000,
  })
}

/** Runs an app as a program does, with an API key. */
async function runByKey(page: Page, api: string, form: object): Promise<string> {
  const made = await sendRequest(page, 'post', '/api/general/api-key', { name: 'program' })
  const { key } = (await made.json()) as { key: string }
  const headers = { 'api-key': key, cookie: '' }
  const sent = await page.request.fetch(`/api/general/job/workflow-api/${api}`, { method: 'POST', headers, data: form })
  expect(sent.status()).toBe(201)
  const { _id } = (await sent.json()) as { _id: string }
  const status = async () =>
    ((await (await page.request.get(`/api/general/job/${_id}/status`, { headers })).json()) as { status: string })
      .status
  await expect.poll(status, { timeout: 60_000 }).toBe('Done')
  return _id
}

test.describe.configure({ mode: 'parallel' })

test('by mouse: a proposed drawing app is ordered, tested, shared, and run by page and by key', async ({
  page,
  browser,
}) => {
  test.slow()
  await signUp(page)
  const name = `Drawing ${Date.now()}`
  const workflow = await makeWorkflow(page, name, GRAPHS.drawing)
  const began = Date.now()
  await page.goto(`/workflow-api/${workflow}`)
  await button(page, 'Use this selection').click()
  await button(page, 'Save').click()
  await expect(page.getByText('saved workflow api')).toBeVisible()
  expect(Date.now() - began, 'from graph to app in two minutes').toBeLessThan(120_000)

  await page.getByRole('tab', { name: 'Details' }).click()
  await expect.poll(() => order(page)).toEqual(['Width', 'Height', 'Seed'])
  await button(page, /^Width/).click()
  const { x, from, to } = await dragPath(button(page, 'Move Seed'), button(page, 'Move Width'))
  await page.mouse.move(x, from)
  await page.mouse.down()
  await page.mouse.move(x, to, { steps: 15 })
  // Announced when the places are measured; an earlier drop has no effect.
  await expect(page.getByText('Over place 1')).toBeAttached()
  await page.mouse.up()
  await expect.poll(() => order(page)).toEqual(['Seed', 'Width', 'Height'])
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  const form = page.getByRole('region', { name: 'Form preview' })
  await expect.poll(() => form.getByRole('spinbutton').or(form.getByRole('radiogroup')).count()).toBeGreaterThan(0)
  await button(page, 'Test run').click()
  await expect(page.getByText('There are changes. Save before testing.')).toBeVisible()
  await button(page, 'Save').click()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await button(page, 'Test run').click()
  await expect(result(page).getByRole('button', { name: /picture 1/i })).toBeVisible({ timeout: 60_000 })

  const other = await visitor(browser)
  await page.getByRole('tab', { name: 'Share' }).click()
  await page.getByLabel('E-mail').fill(other.email)
  await button(page, 'Share').click()
  await expect(page.getByText('shared workflow api')).toBeVisible()
  await expect(page.getByText(other.email)).toBeVisible()
  await runShared(other.page, name)
  const api = await savedApi(page, workflow)
  const job = await runByKey(other.page, api, { width: 64, height: 64, seed: 5 })
  const outputs = await other.page.request.get(`/api/general/job/${job}/api-outputs`)
  expect(((await outputs.json()) as { name: string }[]).map((one) => one.name)).toEqual(['Image'])
  const graph = await other.page.request.get(`/api/general/workflow/${workflow}?select=prompt name`)
  expect(graph.status(), 'the graph stays the author’s').toBe(404)
  await other.context.close()
})

/** Presses Tab or Shift+Tab until this control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible()
  for (let presses = 0; presses < 250; presses += 1) {
    const way = await control.evaluate((node) => {
      const focused = document.activeElement ?? document.body
      if (focused === node) return null
      return node.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING ? 'Shift+Tab' : 'Tab'
    })
    if (way === null) return
    await page.keyboard.press(way)
  }
  throw new Error('the control cannot be reached by Tab')
}

test('by keyboard alone: a text app is chosen, ordered, tested and shared', async ({ page, browser }) => {
  test.slow()
  await signUp(page)
  const name = `Words ${Date.now()}`
  const workflow = await makeWorkflow(page, name, GRAPHS.words)
  const press = async (control: Locator, key = 'Enter') => {
    await tabTo(page, control)
    await page.keyboard.press(key)
  }
  /** Types a name into the only open card. */
  const rename = async (words: string) => {
    await tabTo(page, page.getByLabel('Name in the form'))
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(words)
  }
  await page.goto(`/workflow-api/${workflow}`)
  await press(button(page, 'Use this selection'))
  await tabTo(page, page.getByRole('tab', { selected: true }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Details' })).toHaveAttribute('aria-selected', 'true')
  await expect.poll(() => order(page)).toEqual(['Value', 'Value 2', 'Delimiter'])
  await rename('First word')
  await press(button(page, /^First word/))
  await press(button(page, /^Value 2/))
  await rename('Second word')
  await expect.poll(() => order(page)).toEqual(['First word', 'Second word', 'Delimiter'])
  await tabTo(page, button(page, 'Move Second word'))
  await liftByKeyboard(page, 2, 1)
  await page.keyboard.press('Space')
  await expect.poll(() => order(page)).toEqual(['Second word', 'First word', 'Delimiter'])
  await press(button(page, 'Remove Delimiter'))
  await expect.poll(() => order(page)).toEqual(['Second word', 'First word'])
  await page.reload()
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
  await press(button(page, 'Save'))
  await expect(page.getByText('saved workflow api')).toBeVisible()
  await tabTo(page, page.getByRole('region', { name: 'Form preview' }).getByLabel('First word'))
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('up')
  await press(button(page, 'Test run'))
  await expect(result(page).getByText('up-right')).toBeVisible({ timeout: 60_000 })
  const other = await visitor(browser)
  await page.goto(`/workflow-api/${workflow}?tab=share`)
  await tabTo(page, page.getByLabel('E-mail'))
  await page.keyboard.type(other.email)
  await page.keyboard.press('Enter')
  await expect(page.getByText('shared workflow api')).toBeVisible()
  await runShared(other.page, name, undefined, async (control) => {
    await tabTo(other.page, control)
    await other.page.keyboard.press('Enter')
  })
  await other.context.close()
})

/** Drags with a finger to a place. */
async function dragByTouch(page: Page, from: Locator, to: Locator, place: number): Promise<void> {
  const { x, from: start, to: end } = await dragPath(from, to)
  const client = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  await touch('touchStart', start)
  await page.waitForTimeout(250)
  for (let step = 1; step <= 12; step += 1) {
    await touch('touchMove', start + ((end - start) * step) / 12)
    await page.waitForTimeout(30)
  }
  await expect(page.getByText(`Over place ${place}`)).toBeAttached()
  await touch('touchEnd', end)
}

test('by touch at 390 px: an app with a picture is made, ordered, tested and shared', async ({ browser, baseURL }) => {
  test.slow()
  const context = await browser.newContext({
    baseURL: baseURL ?? '',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await signUp(page)
  const name = `Scaling ${Date.now()}`
  const workflow = await makeWorkflow(page, name, GRAPHS.scaling)
  await page.goto(`/workflow-api/${workflow}`)
  await button(page, 'Show the graph').tap()
  await expect(page.getByRole('region', { name: 'Graph' }).getByRole('button', { name: /^#2/ })).toBeVisible()
  await expect(page.locator('iframe')).toHaveCount(0)
  await button(page, 'Use this selection').tap()
  await page.getByRole('tab', { name: 'Details' }).tap()
  await expect.poll(() => order(page)).toEqual(['Image', 'Width', 'Height'])
  await button(page, /^Image/)
    .first()
    .tap()
  await dragByTouch(page, button(page, 'Move Height'), button(page, 'Move Width'), 2)
  await expect.poll(() => order(page)).toEqual(['Image', 'Height', 'Width'])
  await button(page, 'Add outputs').tap()
  const sheet = page.getByRole('dialog', { name: 'Add outputs' })
  await expect(sheet.getByRole('checkbox')).toBeChecked()
  await sheet.getByRole('button', { name: 'Close' }).tap()
  await button(page, 'Save').tap()
  await expect(page.getByText('saved workflow api')).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
  expect(wide, 'the page scrolls sideways').toBe(false)
  const picture = await drawPicture(page, 128)
  await page.getByRole('region', { name: 'Form preview' }).locator('input[type=file]').first().setInputFiles(picture)
  await expect(page.getByAltText(`Chosen picture ${picture.name}`)).toBeVisible()
  await button(page, 'Test run').tap()
  await expect(result(page).getByRole('button', { name: /picture 1/i })).toBeVisible({ timeout: 60_000 })
  const other = await visitor(browser, 390)
  await page.getByRole('tab', { name: 'Share' }).tap()
  await page.getByLabel('E-mail').fill(other.email)
  await button(page, 'Share').tap()
  await expect(page.getByText('shared workflow api')).toBeVisible()
  await runShared(other.page, name, async () => {
    await other.page.locator('input[type=file]').first().setInputFiles(picture)
    await expect(other.page.getByAltText(`Chosen picture ${picture.name}`)).toBeVisible()
  })
  await other.context.close()
  await context.close()
})

test('a graph that changes afterwards is told as unhealthy, and the saved version still runs', async ({ page }) => {
  await signUp(page)
  const workflow = await makeWorkflow(page, `Changed ${Date.now()}`, GRAPHS.words)
  await page.goto(`/workflow-api/${workflow}`)
  await button(page, 'Use this selection').click()
  await button(page, 'Save').click()
  await expect(page.getByText('saved workflow api')).toBeVisible()
  const api = await savedApi(page, workflow)
  const { 1: first, 2: second, ...rest } = GRAPHS.words
  // One node is gone, one has another class, one takes what it did not take before.
  const changed = {
    ...rest,
    3: { ...GRAPHS.words[3], inputs: { ...GRAPHS.words[3].inputs, string_a: 'left', delimiter: ['5', 0] } },
    2: { ...second, class_type: 'PrimitiveStringMultiline' },
    5: first,
  }
  const answer = await sendRequest(page, 'patch', `/api/general/workflow/${workflow}`, { prompt: { output: changed } })
  expect(answer.status()).toBe(200)
  await button(page, 'Refresh').click()
  const dialog = page.getByRole('dialog', { name: 'Please check the setup' })
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await expect(dialog.getByText('Value', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/tab=detail/)
  await dialog.getByRole('button', { name: 'OK' }).click()
  await button(page, 'Test run').click()
  await expect(result(page).getByText('left-right')).toBeVisible({ timeout: 60_000 })
  await button(page, 'Save').click()
  await expect(dialog.getByText('The input or output settings have a problem. Fix it, then save.')).toBeVisible()
  await dialog.getByRole('button', { name: 'OK' }).click()
  const headers = await xsrf(page)
  const run = await page.request.post(`/api/general/job/workflow-api/${api}`, { data: {}, headers })
  expect(run.status(), 'a run of the saved version').toBe(201)
})
