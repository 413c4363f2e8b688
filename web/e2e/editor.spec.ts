import { readFileSync } from 'node:fs'
import { type BrowserContext, expect, type FrameLocator, type Page, test } from '@playwright/test'
import { editorFrame, hasEditor, ONE_NODE, standInEditor } from './editor-frame'
import { drawPicture, signUp } from './people'
import { sendRequest } from './site-pages'

type Node = {
  type: string
  subgraph?: { nodes: { type: string }[] }
  pos: number[]
  widgets?: { name: string; value: unknown }[]
  connect: (slot: number, to: Node, input: number) => void
}
type EditorWindow = Window & {
  LiteGraph: { createNode: (type: string) => Node }
  app: {
    canvas: { select: (node: Node) => void }
    rootGraph: { add: (node: Node) => void; _nodes: Node[] }
    extensionManager: {
      command: { execute: (id: string) => Promise<void> }
      workflow: { openWorkflows: unknown[]; activeWorkflow: { path: string } }
    }
  }
}

const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Node editor"]')
const save = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Save', exact: true })
const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const isOpen = (page: Page) => expect(save(page)).toBeEnabled({ timeout: 60_000 })

/** Runs code in the real editor's frame. */
async function inEditor<T, A>(page: Page, run: (given: A) => T, given: A): Promise<T> {
  return editorFrame(page).evaluate(run as (given: unknown) => T, given)
}

/** Executes a command of the real editor. */
const command = (page: Page, id: string) =>
  inEditor(page, (id) => (window as unknown as EditorWindow).app.extensionManager.command.execute(id), id)

/** Runs the graph of the real editor and waits for its picture. */
async function run(page: Page): Promise<void> {
  await frameOf(page).getByTestId('queue-button').first().click()
  const strip = page.getByRole('region', { name: 'Latest run' })
  await expect(strip.getByRole('img', { name: 'Result 1' })).toBeVisible({ timeout: 60_000 })
}

/** Saves the graph and waits for the address of its workflow. */
async function keep(page: Page): Promise<void> {
  await save(page).click()
  await expect(page).toHaveURL(/\/comfyui\?flow=[0-9a-f-]+$/)
}

/** Files that carry graphs. */
const FIXTURES = JSON.parse(readFileSync('editor/files.fixtures.json', 'utf8')) as {
  workflow: string
  files: Record<string, { bytes: string }>
}
const fixture = (name: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(FIXTURES.files[name]?.bytes ?? '', 'base64'),
})

/** The number of the editor's tabs. */
const tabs = (page: Page) =>
  inEditor(page, () => (window as unknown as EditorWindow).app.extensionManager.workflow.openWorkflows.length, null)

/** The file that the export of the open graph saves under this name. */
async function exportedText(page: Page, name: string): Promise<string> {
  await menu(page, 'Export workflow')
  const dialog = page.getByRole('dialog', { name: 'Export workflow', exact: true })
  await expect(dialog.getByLabel('File name')).toHaveValue(new RegExp(`^${name}`))
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  return readFileSync(await (await saved).path(), 'utf8')
}

/** A graph with an empty picture of this colour, saved. The editor looks for changes when the pointer is released. */
const draw = (page: Page, color: number) =>
  inEditor(
    page,
    (color) => {
      const { LiteGraph, app } = window as unknown as EditorWindow
      const [image, saved] = [LiteGraph.createNode('EmptyImage'), LiteGraph.createNode('SaveImage')]
      for (const [index, node] of [image, saved].entries()) {
        node.pos = [80 + index * 420, 120]
        app.rootGraph.add(node)
      }
      const widget = image.widgets?.find(({ name }) => name === 'color')
      if (widget) widget.value = color
      image.connect(0, saved, 0)
      window.dispatchEvent(new MouseEvent('mouseup'))
    },
    color,
  )

test.describe('the real editor', () => {
  // One context for all tests: its process keeps the compiled scripts of the editor, which are megabytes.
  let context: BrowserContext
  let page: Page

  test.beforeAll(async ({ browser }) => {
    context = await browser.newContext()
    // A blank page keeps the process between two tests.
    await context.newPage()
  })
  test.afterAll(() => context.close())

  test.beforeEach(async ({ request }) => {
    test.skip(!(await hasEditor(request)), 'this server has no editor')
    await context.clearCookies()
    page = await context.newPage()
    // The first document of a test forgets what the editor has stored for the user of the test before.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('isBegun')) return
      sessionStorage.setItem('isBegun', 'yes')
      localStorage.clear()
    })
    await signUp(page)
  })
  test.afterEach(async () => {
    for (const one of context.pages().slice(1)) await one.close()
  })

  test('a graph is built, run, saved, reopened and published', async () => {
    test.slow()
    await page.goto('/comfyui?new=true')
    await isOpen(page)
    await draw(page, Date.now() % 0xffffff)
    await expect(page.getByText('Not saved')).toBeVisible()
    await expect(page.getByText(/at most [\d,]+ credits/)).toBeVisible()
    const name = `Built here ${Date.now()}`
    await page.getByLabel('Project name').fill(name)
    await page.keyboard.press('Enter')
    await run(page)
    await keep(page)
    await page.reload()
    await isOpen(page)
    await expect(page.getByLabel('Project name')).toHaveValue(name)
    const nodes = await inEditor(page, () => (window as unknown as EditorWindow).app.rootGraph._nodes.length, null)
    expect(nodes).toBe(2)
    await page.getByRole('main').getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page).toHaveURL(/\/workflows\/edit\/[0-9a-f-]+\?isUpload=true$/)
    await page.locator('input[data-testid=pictures]').setInputFiles([await drawPicture(page, 320)])
    await expect(page.getByRole('button', { name: 'Remove picture 1' })).toBeVisible()
    await page.getByRole('button', { name: 'Style' }).click()
    await page.getByRole('button', { name: 'Abstract' }).click()
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await expect(page.getByText('It is public now.')).toBeVisible()
    await page.getByRole('button', { name: 'Workflow preview' }).click()
    await expect(page.locator('iframe[src*="readonly=true"]')).toBeVisible({ timeout: 60_000 })
  })

  test('a subgraph is built, run, saved and reopened', async () => {
    await page.goto('/comfyui?new=true')
    await isOpen(page)
    await draw(page, Date.now() % 0xffffff)
    await inEditor(
      page,
      () => {
        const { app } = window as unknown as EditorWindow
        app.canvas.select(app.rootGraph._nodes[0] as Node)
      },
      null,
    )
    await frameOf(page).locator('#graph-canvas').press('Control+Shift+E')
    const types = () =>
      inEditor(
        page,
        () =>
          (window as unknown as EditorWindow).app.rootGraph._nodes.map(
            (node) => node.subgraph?.nodes.map(({ type }) => type) ?? node.type,
          ),
        null,
      )
    await expect.poll(types).toEqual(expect.arrayContaining(['SaveImage', ['EmptyImage']]))
    await run(page)
    await keep(page)
    await page.reload()
    await isOpen(page)
    await expect.poll(types).toEqual(expect.arrayContaining(['SaveImage', ['EmptyImage']]))
  })

  test('a new tab is another workflow than the closed one whose path it gets', async () => {
    await page.goto('/comfyui?new=true')
    await isOpen(page)
    const path = () =>
      inEditor(page, () => (window as unknown as EditorWindow).app.extensionManager.workflow.activeWorkflow.path, null)
    await command(page, 'Comfy.NewBlankWorkflow')
    const reused = await path()
    await draw(page, 1)
    await keep(page)
    const saved = page.url()
    await command(page, 'Workspace.CloseWorkflow')
    await command(page, 'Comfy.NewBlankWorkflow')
    expect(await path()).toBe(reused)
    await draw(page, 2)
    await keep(page)
    await expect(page).not.toHaveURL(saved)
  })

  test('graphs of pictures, videos and sounds open beside an unsaved graph', async () => {
    test.slow()
    await page.goto('/comfyui?new=true')
    await isOpen(page)
    await draw(page, 7)
    await expect(page.getByText('Not saved')).toBeVisible()
    for (const name of ['comfy.png', 'comfy.webp', 'comfy.mp4', 'vhs.webm', 'comfy.flac', 'comfy.mp3', 'comfy.opus']) {
      const before = await tabs(page)
      await page.getByLabel('Import…').setInputFiles(fixture(name))
      await expect.poll(() => tabs(page), { message: name }).toBe(before + 1)
      await expect(page.getByLabel('Project name')).toHaveValue(/^(comfy|vhs)/)
      const types = await inEditor(
        page,
        () => (window as unknown as EditorWindow).app.rootGraph._nodes.map((one) => one.type),
        null,
      )
      expect(types, name).toEqual(['KSampler'])
    }
    const exported = await exportedText(page, 'comfy')
    expect(exported).toContain('[18446744073709551615,"fixed",20,8.0,"euler","normal",1.0]')
    expect(exported).toContain('"v":NaN')
    // The first graph is as it was, and its draft is stored.
    const stored = async () => JSON.stringify(await (await page.request.get('/api/general/workflow/draft')).json())
    await expect.poll(stored).toContain('EmptyImage')
    await page.getByLabel('Import…').setInputFiles(fixture('plain.png'))
    await expect(page.getByText(/plain\.png contains no workflow/)).toBeVisible()
  })

  test('a file is imported where it is dropped, on the page or in the frame', async () => {
    await page.goto('/comfyui?new=true')
    await isOpen(page)
    for (const where of ['[aria-label="Project name"]', '#graph-canvas']) {
      const before = await tabs(page)
      const frame = where.startsWith('#') ? editorFrame(page) : page.mainFrame()
      await frame.evaluate(
        ([where, text]) => {
          const given = new DataTransfer()
          given.items.add(new File([text], 'dropped.json', { type: 'application/json' }))
          const event = { dataTransfer: given, bubbles: true, cancelable: true, clientX: 300, clientY: 300 }
          document.querySelector(where)?.dispatchEvent(new DragEvent('drop', event))
        },
        [where, FIXTURES.workflow] as const,
      )
      await expect.poll(() => tabs(page), { message: where }).toBe(before + 1)
    }
    await expect(page.getByLabel('Project name')).toHaveValue('dropped (2)')
  })

  test('the app of a workflow becomes a mini app, and is exported again', async () => {
    test.slow()
    const { workflow } = JSON.parse(readFileSync('../core/tests/data/graph/app-in-subgraph.json', 'utf8'))
    const inputs = [
      [6, 'color_EmptyImage'],
      [6, 'width_ImageScale'],
    ]
    Object.assign(workflow.extra, { linearMode: true, linearData: { inputs, outputs: [4] } })
    await page.goto('/comfyui?new=true')
    await isOpen(page)
    const file = { name: 'Field.app.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(workflow)) }
    await page.getByLabel('Import…').setInputFiles(file)
    const offer = page.getByText('This workflow brings an app with 2 inputs.')
    await expect(offer).toBeVisible()
    // The graph is shown, and not the form of the editor.
    await expect(frameOf(page).locator('#graph-canvas')).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Make a mini app' }).click()
    await expect(page).toHaveURL(/\/workflow-api\/[0-9a-f-]+\?tab=detail&app=true$/)
    await expect(page.getByText('Colour of the field').first()).toBeVisible()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Saved', { exact: true }).first()).toBeVisible()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.goto(`/comfyui?flow=${id}`)
    await isOpen(page)
    const exported = JSON.parse(await exportedText(page, 'Field.app'))
    expect(exported.extra.linearData).toEqual({ inputs, outputs: [4] })
    expect(exported.extra.linearMode).toBe(true)
  })
})

test('unsaved changes survive a reload, and can be discarded', async ({ page }) => {
  await signUp(page)
  await standInEditor(page, ONE_NODE)
  const made = await sendRequest(page, 'post', '/api/general/workflow', {
    name: 'Kept',
    prompt: { workflow: ONE_NODE },
  })
  const { _id } = (await made.json()) as { _id: string }
  await page.goto(`/comfyui?flow=${_id}`)
  await isOpen(page)
  const stored = page.waitForResponse((one) => one.url().endsWith('/draft') && one.request().method() === 'PUT')
  await frameOf(page).locator('body').click()
  expect((await stored).ok()).toBe(true)
  page.on('dialog', (dialog) => dialog.accept())
  await page.reload()
  await expect(page.getByText(/Unsaved changes from .* were restored/)).toBeVisible()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(page.getByText(/were restored/)).toHaveCount(0)
  await page.reload()
  await isOpen(page)
  await expect(page.getByText(/were restored/)).toHaveCount(0)
})

test('the later save of two pages is asked about, and versions are compared and restored', async ({
  page,
  context,
}) => {
  await signUp(page)
  const made = await sendRequest(page, 'post', '/api/general/workflow', {
    name: 'Twice open',
    prompt: { workflow: ONE_NODE },
  })
  const { _id } = (await made.json()) as { _id: string }
  const other = await context.newPage()
  for (const one of [page, other]) {
    await standInEditor(one, ONE_NODE)
    await one.goto(`/comfyui?flow=${_id}`)
    await isOpen(one)
  }
  await frameOf(other).locator('body').click()
  // The page says 'Saved' until it has looked at the change, so only the answer tells that this one is.
  const kept = other.waitForResponse((one) => one.url().includes(_id) && one.request().method() === 'PATCH')
  await save(other).click()
  expect((await kept).ok()).toBe(true)
  await expect(other.getByText('Saved', { exact: true }).first()).toBeVisible()
  await frameOf(page).locator('body').click()
  await frameOf(page).locator('body').click()
  await save(page).click()
  const question = page.getByRole('dialog', { name: 'Saved on another page' })
  await question.getByRole('button', { name: 'Save anyway' }).click()
  await expect(question).toHaveCount(0)
  await menu(page, 'Versions')
  const dialog = page.getByRole('dialog', { name: 'Versions' })
  await expect(dialog.getByText('Version 3')).toBeVisible()
  await dialog.getByRole('button', { name: 'Compare' }).last().click()
  await expect(dialog.getByText('EmptyImage #3')).toBeVisible()
  await dialog.getByRole('button', { name: 'All versions' }).click()
  // By keyboard: a click here, this soon after the last one, would be its second half.
  await dialog.getByRole('button', { name: 'Restore' }).last().press('Enter')
  await page.getByRole('dialog', { name: 'Restore version 1?' }).getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Version 1 restored')).toBeVisible()
  await other.close()
})

test('a graph is exported in both formats, under the name of the project', async ({ page }) => {
  await signUp(page)
  await standInEditor(page, ONE_NODE)
  await page.goto('/comfyui?new=true')
  await isOpen(page)
  for (const item of ['Export workflow', 'Export workflow (API)']) {
    await menu(page, item)
    const dialog = page.getByRole('dialog', { name: item, exact: true })
    await dialog.getByLabel('File name').fill('Silk')
    const saved = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Download' }).click()
    expect((await saved).suggestedFilename()).toBe('Silk.json')
  }
})

test('guests are asked to sign in, and phones see a preview', async ({ page, browser }) => {
  await page.goto('/comfyui?new=true')
  await expect(page.getByText('Sign in to use the node editor')).toBeVisible()
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const small = await phone.newPage()
  await signUp(small)
  await small.goto('/comfyui?new=true')
  await expect(small.getByText(/Graphs can be edited on a larger screen/)).toBeVisible()
  await expect(small.locator('iframe')).toHaveCount(0)
  await phone.close()
})
