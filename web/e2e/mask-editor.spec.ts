import { type CDPSession, expect, type Locator, type Page, test } from '@playwright/test'
import { browserFile, type PictureFile, pixelsOf, pngFile, turned } from './mask-files'
import { signUp } from './people'
import { sendRequest } from './site-pages'

const RED = 0xff0000
/** Paints the masked part of the picture red. */
const GRAPH = {
  1: { class_type: 'LoadImage', inputs: { image: 'photo.png' } },
  2: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color: RED } },
  3: {
    class_type: 'ImageCompositeMasked',
    inputs: { destination: ['1', 0], source: ['2', 0], mask: ['1', 1], x: 0, y: 0, resize_source: true },
  },
  4: { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'Painted' } },
}

/** Paints the masked part of a black picture red: the mask is read without the picture. */
const MASK_GRAPH = {
  1: { class_type: 'LoadImageMask', inputs: { image: 'photo.png', channel: 'alpha' } },
  2: { class_type: 'EmptyImage', inputs: { width: 512, height: 384, batch_size: 1, color: 0 } },
  3: { class_type: 'EmptyImage', inputs: { width: 512, height: 384, batch_size: 1, color: RED } },
  4: {
    class_type: 'ImageCompositeMasked',
    inputs: { destination: ['2', 0], source: ['3', 0], mask: ['1', 0], x: 0, y: 0, resize_source: false },
  },
  5: { class_type: 'SaveImage', inputs: { images: ['4', 0], filename_prefix: 'Painted' } },
}

async function json<T>(answer: { json: () => Promise<unknown>; status: () => number }, status: number): Promise<T> {
  expect(answer.status()).toBe(status)
  return (await answer.json()) as T
}

/** Makes a mini app of a graph and opens it. */
async function openPaintApp(page: Page, graph: object = GRAPH): Promise<void> {
  const body = { name: 'Paint it red', description: '<p>Words</p>', prompt: { output: graph } }
  const { _id } = await json<{ _id: string }>(await sendRequest(page, 'post', '/api/general/workflow', body), 201)
  const editor = await page.request.get(`/api/general/workflow-api/editor/${_id}`)
  const { proposal } = await json<{ proposal: object }>(editor, 200)
  const saved = await sendRequest(page, 'post', '/api/general/workflow-api', { workflow: _id, ...proposal })
  expect(saved.status()).toBeLessThan(300)
  const app = await page.request.get(`/api/general/workflow-api/editor/${_id}`)
  const { saved: api } = await json<{ saved: { _id: string } }>(app, 200)
  await page.goto(`/easy-app/${api._id}`)
}

const chosen = (page: Page) => page.getByAltText(/^Chosen picture /).first()
const editorOf = (page: Page) => page.getByRole('dialog', { name: 'Draw a mask' })
const stageOf = (page: Page) => editorOf(page).getByRole('application', { name: 'Picture to draw on' })

async function choose(page: Page, file: PictureFile): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(file)
  await expect(chosen(page)).toHaveAccessibleName(`Chosen picture ${file.name}`)
}

async function openEditor(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Draw a mask' }).first().click()
  await expect(editorOf(page).getByRole('button', { name: 'Invert' })).toBeEnabled({ timeout: 30_000 })
}

async function middleOf(stage: Locator): Promise<{ x: number; y: number }> {
  const box = await stage.boundingBox()
  if (!box) throw new Error('nothing to draw on')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Waits for the saved mask in the form, runs the app, and expects red in the middle of the result only. */
async function isPainted(page: Page, name: string): Promise<void> {
  await expect(page.getByText('The masked picture was applied!')).toBeVisible()
  await expect(editorOf(page)).toBeHidden()
  await expect(chosen(page)).toHaveAccessibleName(`Chosen picture masked-${name}.png`)
  const places: [number, number][] = [
    [0.5, 0.5],
    [0.02, 0.5],
    [0.5, 0.02],
  ]
  const { at } = await pixelsOf(chosen(page), places)
  expect(at.map((pixel) => pixel[3])).toEqual([0, 255, 255])
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const result = page.getByRole('button', { name: 'Open picture 1 in full' })
  await expect(result).toBeVisible({ timeout: 60_000 })
  const painted = await pixelsOf(result.locator('img'), places)
  const isRed = ([red = 0, green = 0, blue = 0]: number[]) => red > 200 && green < 60 && blue < 60
  expect(painted.at.map(isRed), JSON.stringify(painted)).toEqual([true, false, false])
}

const photo = (page: Page) => browserFile(page, 'photo.png', 'image/png', [512, 384])

test('a mask is drawn by mouse, and the mini app uses it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signUp(page)
  await openPaintApp(page)
  await choose(page, await photo(page))
  await openEditor(page)
  const { x, y } = await middleOf(stageOf(page))
  await page.mouse.move(x, y - 20)
  await page.mouse.down()
  await page.mouse.move(x, y + 20, { steps: 8 })
  await page.mouse.up()
  // The right button erases a part, and is taken back.
  await page.mouse.move(x, y)
  await page.mouse.down({ button: 'right' })
  await page.mouse.up({ button: 'right' })
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+s')
  await isPainted(page, 'photo')
})

test('a mask is drawn by keyboard only, and a mini app that loads masks uses it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signUp(page)
  await openPaintApp(page, MASK_GRAPH)
  await choose(page, await photo(page))
  await page.getByRole('button', { name: 'Draw a mask' }).first().focus()
  await page.keyboard.press('Enter')
  await expect(editorOf(page).getByRole('button', { name: 'Invert' })).toBeEnabled()
  for (let tab = 0; tab < 20; tab += 1) {
    await page.keyboard.press('Tab')
    if (await stageOf(page).evaluate((stage) => stage === document.activeElement)) break
  }
  await expect(stageOf(page)).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(editorOf(page).getByText('The brush draws.')).toBeAttached()
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(editorOf(page).getByText('The brush draws.')).not.toBeAttached()
  await expect(editorOf(page).getByRole('button', { name: 'Undo' })).toBeEnabled()
  // A straight line from there downwards, with the eraser, and back again.
  await page.keyboard.press('e')
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+s')
  await isPainted(page, 'photo')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  const touch = (session: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })

  test('a mask is drawn by touch, and the mini app uses it', async ({ page }) => {
    await signUp(page)
    await openPaintApp(page)
    await choose(page, await photo(page))
    await openEditor(page)
    const editor = editorOf(page)
    await expect(editor.getByRole('button', { name: 'Zoom 30%: show all' })).toBeVisible()
    const session = await page.context().newCDPSession(page)
    const { x, y } = await middleOf(stageOf(page))
    // Two fingers zoom and draw nothing.
    await touch(session, 'touchStart', [x - 40, y])
    await touch(session, 'touchStart', [x - 40, y], [x + 40, y])
    await touch(session, 'touchMove', [x - 80, y], [x + 80, y])
    await touch(session, 'touchEnd')
    await expect(editor.getByRole('button', { name: 'Zoom 60%: show all' })).toBeVisible()
    await expect(editor.getByRole('button', { name: 'Undo' })).toBeDisabled()
    await touch(session, 'touchStart', [x - 20, y])
    await page.waitForTimeout(80)
    await touch(session, 'touchMove', [x, y])
    await touch(session, 'touchMove', [x + 20, y])
    // The finger comes to rest: Chromium takes a tap after a fast end for the end of a fling.
    await page.waitForTimeout(200)
    await touch(session, 'touchMove', [x + 21, y])
    await touch(session, 'touchEnd')
    await expect(editor.getByRole('button', { name: 'Undo' })).toBeEnabled()
    const save = await middleOf(editor.getByRole('button', { name: 'Save' }))
    await touch(session, 'touchStart', [save.x, save.y])
    // A finger stays for a moment. Of a shorter touch Chromium sometimes makes no click.
    await page.waitForTimeout(80)
    await touch(session, 'touchEnd')
    await isPainted(page, 'photo')
  })
})

const left = (x: number, width: number) => (x < width / 2 ? 0.95 : 0.1)
/** Files with the size that their mask must have. */
const FILES: { is: string; size: [number, number]; make: (page: Page) => PictureFile | Promise<PictureFile> }[] = [
  {
    is: 'a photo that its metadata turns',
    size: [300, 400],
    make: async (page) => turned(await browserFile(page, 'turned.jpg', 'image/jpeg', [400, 300])),
  },
  {
    is: 'a picture with alpha',
    size: [200, 120],
    make: () =>
      pngFile('alpha.png', [200, 120], { type: 6, depth: 8 }, (x, y, channel) =>
        channel < 3 ? left(x, 200) : y < 12 ? 0 : 1,
      ),
  },
  {
    is: 'a 16-bit PNG',
    size: [160, 90],
    make: () => pngFile('deep.png', [160, 90], { type: 2, depth: 16 }, (x) => left(x, 160)),
  },
  {
    is: 'a grey PNG',
    size: [160, 90],
    make: () => pngFile('grey.png', [160, 90], { type: 0, depth: 8 }, (x) => left(x, 160)),
  },
  {
    is: 'a 16-bit grey PNG',
    size: [160, 90],
    make: () => pngFile('deep-grey.png', [160, 90], { type: 0, depth: 16 }, (x) => left(x, 160)),
  },
  { is: 'a WebP', size: [320, 200], make: (page) => browserFile(page, 'photo.webp', 'image/webp', [320, 200]) },
  {
    is: 'a single pixel',
    size: [1, 1],
    make: () => pngFile('pixel.png', [1, 1], { type: 2, depth: 8 }, () => 0.5),
  },
  {
    is: 'a picture of 16,000 × 900 pixels',
    size: [16_000, 900],
    make: (page) => browserFile(page, 'wide.png', 'image/png', [16_000, 900]),
  },
]

test('masks of all kinds of pictures have the right size and place', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await signUp(page)
  await openPaintApp(page)
  for (const { is, size, make } of FILES) {
    const file = await make(page)
    await choose(page, file)
    const before = await pixelsOf(chosen(page), [[0.75, 0.5]])
    expect([before.width, before.height], `${is}: the size of the upload`).toEqual(size)
    await openEditor(page)
    // A dot at a quarter from the left, in the middle of the height.
    const editor = editorOf(page)
    const zoom = Number((await editor.getByRole('button', { name: /show all$/ }).textContent())?.replace('%', '')) / 100
    const { x, y } = await middleOf(stageOf(page))
    const brush = size[0] > 1000 ? 100 : 20
    await editor.getByLabel('Brush size').fill(String(brush))
    await page.mouse.click(x - (size[0] > 1 ? (size[0] / 4) * zoom : 0), y)
    const answer = page.waitForResponse((response) => response.url().endsWith('/comfyui-editor/api/upload/mask'))
    await editor.getByRole('button', { name: 'Save' }).click()
    expect((await answer).status(), is).toBe(200)
    await expect(editor, is).toBeHidden()
    await expect(chosen(page), is).toHaveAccessibleName(`Chosen picture masked-${file.name.replace(/\..*/, '')}.png`)
    const after = await pixelsOf(chosen(page), [
      [0.25, 0.5],
      [0.75, 0.5],
      [0.5, 0.02],
    ])
    expect([after.width, after.height], `${is}: the size of the mask`).toEqual(size)
    if (size[0] === 1) {
      expect(after.at[0]?.[3], is).toBe(0)
      continue
    }
    const [drawn, other, edge] = after.at
    expect([drawn?.[3], other?.[3]], `${is}: the place of the mask`).toEqual([0, 255])
    expect(edge?.[3], `${is}: its own transparency`).toBe(is === 'a picture with alpha' ? 0 : 255)
    // The colours of the other half are the picture's.
    for (let channel = 0; channel < 3; channel += 1) {
      const far = Math.abs((other?.[channel] ?? 0) - (before.at[0]?.[channel] ?? 255))
      expect(far, `${is}: a colour`).toBeLessThan(4)
    }
  }
})

test('a masked picture shows its colours below the mask when it is opened again', async ({ page }) => {
  await signUp(page)
  await openPaintApp(page)
  await choose(
    page,
    pngFile('clear.png', [100, 80], { type: 6, depth: 8 }, (_x, _y, channel) => (channel === 1 ? 0.8 : 0)),
  )
  await openEditor(page)
  const canvas = editorOf(page).locator('canvas')
  const middles = () =>
    canvas.evaluateAll((all) =>
      all.map((one) => {
        const { width, height } = one as HTMLCanvasElement
        const pen = (one as HTMLCanvasElement).getContext('2d')
        return [...(pen?.getImageData(width >> 1, height >> 1, 1, 1).data ?? [])]
      }),
    )
  // The stage is painted in the frame after it is ready.
  await expect.poll(async () => (await middles())[0]).toEqual([0, 204, 0, 255])
  expect((await middles())[1]?.[3], 'its transparency is no mask').toBe(255)
})
