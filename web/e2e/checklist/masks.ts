import { inflateSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { standInEditor } from '../editor-frame'
import { pngFile } from '../mask-files'
import { xsrf } from '../people'
import { expectToast, mockRefusal, type Row } from './row'

const SIZE: [number, number] = [400, 300]
const UPLOAD = '**/comfyui-editor/api/upload/mask'
const WORDS = {
  en: { draw: 'Draw a mask', invert: 'Invert', undo: 'Undo', redo: 'Redo', save: 'Save', chosen: /^Chosen picture / },
  ko: { draw: '마스크 그리기', invert: '반전', undo: '실행 취소', redo: '다시 실행', save: '저장', chosen: /./ },
} as const
type Lang = keyof typeof WORDS

const editorOf = (page: Page, lang: Lang = 'en') => page.getByRole('dialog', { name: WORDS[lang].draw })
const button = (page: Page, name: string | RegExp, lang: Lang = 'en') =>
  editorOf(page, lang).getByRole('button', { name, exact: typeof name === 'string' })
const drawMask = (page: Page, lang: Lang = 'en') =>
  page.getByRole('main').getByRole('button', { name: WORDS[lang].draw }).first().click()

const sliderOf = (page: Page, name: string) => editorOf(page).getByRole('slider', { name, exact: true })

/** Starts without settings and pictures of an earlier row. */
const fresh = (page: Page) =>
  page.addInitScript(() => {
    for (const key of Object.keys(localStorage)) if (/^vg\.(mask|draft)/.test(key)) localStorage.removeItem(key)
  })

/** Whether an earlier row of this page has chosen a picture. */
const isChosen = (page: Page) => page.getByRole('main').getByText('mask me.png').isVisible()

async function choose(page: Page): Promise<void> {
  // Each file differs: its first row is random.
  const file = pngFile('mask me.png', SIZE, { type: 2, depth: 8 }, (x, y) =>
    y === 0 ? Math.random() : x < 200 ? 0.9 : 0.2,
  )
  await page.locator('input[type=file]').first().setInputFiles(file)
  await expect(page.getByRole('main').getByText('mask me.png')).toBeVisible()
}

async function open(page: Page, lang: Lang = 'en'): Promise<{ x: number; y: number }> {
  if (!(await isChosen(page))) await choose(page)
  await drawMask(page, lang)
  await expect(button(page, WORDS[lang].invert, lang)).toBeEnabled()
  const box = await editorOf(page, lang).getByRole('application').boundingBox()
  if (!box) throw new Error('nothing to draw on')
  return { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }
}

/** Closes the editor without saving and forgets its settings, so that it opens as for the first time. */
async function leave(page: Page): Promise<void> {
  const editor = editorOf(page)
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  if (await editor.isVisible()) {
    await page.keyboard.press('Escape')
    const isOver = async () => (await question.isVisible()) || !(await editor.isVisible())
    await expect.poll(isOver, { intervals: [20, 50] }).toBe(true)
    if (await question.isVisible()) await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(editor).toBeHidden()
  }
  await page.evaluate(() => localStorage.removeItem('vg.mask'))
}

async function saveDot(page: Page, { x, y }: { x: number; y: number }): Promise<void> {
  await page.mouse.click(x, y)
  await page.keyboard.press('Control+s')
}

/** Opacity of the drawn mask beside the middle of the stage, from 0 to 255. */
const shade = (page: Page, right = 0, down = 0) =>
  page.getByTestId('mask-layer').evaluate(
    (layer, [right, down]) => {
      const canvas = layer as HTMLCanvasElement
      const ratio = window.devicePixelRatio
      const [x, y] = [canvas.width / 2 + right * ratio, canvas.height / 2 + down * ratio]
      return canvas.getContext('2d')?.getImageData(x, y, 1, 1).data[3]
    },
    [right, down] as const,
  )
const isShade = (page: Page, value: number, right = 0, down = 0) =>
  expect.poll(() => shade(page, right, down)).toBe(value)

async function drag(page: Page, from: [number, number], to: [number, number]): Promise<void> {
  await page.mouse.move(...from)
  await page.mouse.down()
  await page.mouse.move(...to, { steps: 6 })
  await page.mouse.up()
}

type SentForm = { parts: Record<string, string>; png: string }

/** Keeps the parts of forms that the page makes: a browser does not tell the files of an upload. */
const keepForms = (page: Page) =>
  page.addInitScript(() => {
    const append = FormData.prototype.append
    const parts: Record<string, unknown> = {}
    Object.assign(window, { sentParts: parts })
    FormData.prototype.append = function (name: string, ...value: unknown[]) {
      parts[name] = value[0]
      return Reflect.apply(append, this, [name, ...value])
    }
  })

const sentForm = (page: Page): Promise<SentForm> =>
  page.evaluate(async () => {
    const { image, ...parts } = (window as unknown as { sentParts: { image: Blob } & Record<string, string> }).sentParts
    const bytes = new Uint8Array(await image.arrayBuffer())
    return { parts, png: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) }
  })

/** A pixel of a PNG whose rows are not filtered, as RGBA. */
function pixelOf(base64: string, x: number, y: number): number[] {
  const png = Buffer.from(base64, 'base64')
  const data: Buffer[] = []
  for (let at = 8; png.toString('latin1', at + 4, at + 8) !== 'IEND'; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  }
  const at = y * (SIZE[0] * 4 + 1) + 1 + x * 4
  return [...inflateSync(Buffer.concat(data)).subarray(at, at + 4)]
}

const app: Row['path'] = (known) => `/easy-app/${known.app}`
type See = (page: Page, middle: { x: number; y: number }) => Promise<unknown>
/** A rule that shows in the open editor. Those without a language, window or mock of their own share a page. */
function rule(proves: string, see: See, more: Partial<Row> = {}): Row {
  const keepsPage = Object.keys(more).length === 0
  return {
    proves,
    who: 'person',
    path: app,
    ...more,
    before: keepsPage
      ? fresh
      : async (page) => {
          await fresh(page)
          await more.before?.(page)
        },
    see: async (page) => {
      await see(page, await open(page, more.language ?? 'en'))
      if (keepsPage) await leave(page)
    },
    ...(keepsPage && { keepsPage: true as const }),
  }
}
const range = (proves: string, label: string, [min, max, first]: [string, string, string], more?: See): Row =>
  rule(proves, async (page, middle) => {
    const slider = sliderOf(page, label)
    await expect(slider).toHaveAttribute('min', min)
    await expect(slider).toHaveAttribute('max', max)
    await expect(slider).toHaveValue(first)
    await more?.(page, middle)
  })
const set = (page: Page, label: string, value: string) => sliderOf(page, label).fill(value)

/** The mask editor: rules and texts of its sections 3, 4, 5, 7, 8 and 9. */
export const MASKS: Row[] = [
  rule(
    '1 §3 mask: brush size, opacity, hardness, smoothing, tolerance and layer opacity are stored locally',
    async (page) => {
      const kept = {
        'Brush size': '77',
        Opacity: '0.4',
        Hardness: '0.3',
        Smoothing: '12',
        'Fill tolerance': '9',
        'Mask layer opacity': '0.6',
      }
      for (const [label, value] of Object.entries(kept)) await set(page, label, value)
      await page.keyboard.press('Escape')
      await expect(editorOf(page)).toBeHidden()
      await drawMask(page)
      for (const [label, value] of Object.entries(kept)) await expect(sliderOf(page, label)).toHaveValue(value)
      expect(await page.evaluate(() => localStorage.getItem('vg.mask'))).toContain('77')
    },
  ),
  range(
    '1 §9 mask: brush size 1–200, default 50; [ and ] change it by 5',
    'Brush size',
    ['1', '200', '50'],
    async (page) => {
      const size = sliderOf(page, 'Brush size')
      await page.keyboard.press(']')
      await expect(size).toHaveValue('55')
      await page.keyboard.press('[')
      await page.keyboard.press('[')
      await expect(size).toHaveValue('45')
      await size.fill('198')
      await page.keyboard.press(']')
      await expect(size).toHaveValue('200')
      await size.fill('3')
      await page.keyboard.press('[')
      await expect(size).toHaveValue('1')
    },
  ),
  range('1 §9 mask: opacity 0–1, default 1', 'Opacity', ['0', '1', '1'], async (page, { x, y }) => {
    await set(page, 'Opacity', '0.5')
    await page.mouse.click(x, y)
    await isShade(page, 128)
  }),
  range(
    '1 §9 mask: hardness 0–1, default 1; hard at 0.99 and above',
    'Hardness',
    ['0', '1', '1'],
    async (page, { x, y }) => {
      await set(page, 'Hardness', '0.99')
      await page.mouse.click(x, y)
      await isShade(page, 255, 22)
      await page.keyboard.press('Control+z')
      await isShade(page, 0)
      await set(page, 'Hardness', '0.5')
      await page.mouse.click(x, y)
      await isShade(page, 255)
      const edge = (await shade(page, 22)) ?? 0
      expect(edge > 0 && edge < 255, `the edge is ${edge}`).toBe(true)
    },
  ),
  range('1 §9 mask: smoothing 1–100, default 100', 'Smoothing', ['1', '100', '100']),
  range(
    '1 §9 mask: fill tolerance 0–100, default 32; G fills',
    'Fill tolerance',
    ['0', '100', '32'],
    async (page, { x, y }) => {
      await page.keyboard.press('g')
      await page.mouse.click(x - 100, y)
      await isShade(page, 255, -100, 50)
      await isShade(page, 0, 100, 50)
    },
  ),
  range('1 §9 mask: mask layer opacity 0–1, default 1', 'Mask layer opacity', ['0', '1', '1'], async (page) => {
    await set(page, 'Mask layer opacity', '0.35')
    await expect(page.getByTestId('mask-layer')).toHaveCSS('opacity', '0.35')
  }),
  rule('1 §9 mask: zoom 10–2000 %, by a factor of 1.1 for each turn of the wheel', async (page, { x, y }) => {
    const zoom = (percent: number) => expect(button(page, `Zoom ${percent}%: show all`)).toBeVisible()
    await zoom(100)
    await page.mouse.move(x, y)
    await page.mouse.wheel(0, -100)
    await zoom(110)
    await page.mouse.wheel(0, -100)
    await zoom(121)
    await page.mouse.wheel(0, -10_000)
    await zoom(2000)
    await page.mouse.wheel(0, 20_000)
    await zoom(10)
  }),
  rule('1 §4 mask: undo over 50 steps', async (page, { x, y }) => {
    await set(page, 'Brush size', '4')
    for (let step = 0; step < 52; step += 1) await page.mouse.click(x - 150 + step * 5, y)
    let undone = 0
    for (; undone < 60 && (await button(page, 'Undo').isEnabled()); undone += 1) await page.keyboard.press('Control+z')
    expect(undone).toBe(50)
    await isShade(page, 255, -145)
    await isShade(page, 0, -140)
  }),
  rule('1 §4 mask: a new action discards the redo branch', async (page, { x, y }) => {
    await page.mouse.click(x, y)
    await page.keyboard.press('Control+z')
    await expect(button(page, 'Redo')).toBeEnabled()
    await page.mouse.click(x + 100, y)
    await expect(button(page, 'Redo')).toBeDisabled()
    await page.keyboard.press('Control+Shift+z')
    await isShade(page, 0)
  }),
  rule('1 §9 mask: touch drawing starts after 50 ms', async (page, { x, y }) => {
    // The listener must be there before the finger is, so its promise is kept and waited for later.
    const waited = await page.getByTestId('mask-layer').evaluateHandle((layer) => {
      const canvas = layer as HTMLCanvasElement
      const alpha = () => canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data[3]
      const milliseconds = new Promise<number>((resolve) => {
        document.addEventListener(
          'pointerdown',
          ({ timeStamp }) => {
            const look = () => (alpha() ? resolve(performance.now() - timeStamp) : requestAnimationFrame(look))
            look()
          },
          { capture: true, once: true },
        )
      })
      return { milliseconds }
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    expect(await waited.evaluate(({ milliseconds }) => milliseconds)).toBeGreaterThanOrEqual(50)
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await session.detach()
  }),
  rule('1 §9 mask: B is the brush, E the eraser, G the fill', async (page, { x, y }) => {
    for (const [key, name] of [
      ['e', 'Eraser'],
      ['g', 'Fill'],
      ['b', 'Brush'],
    ] as const) {
      await page.keyboard.press(key)
      await expect(button(page, name)).toHaveAttribute('aria-pressed', 'true')
    }
    await page.mouse.click(x, y)
    await isShade(page, 255)
    await page.keyboard.press('e')
    await page.mouse.click(x, y)
    await isShade(page, 0)
  }),
  rule('1 §9 mask: Space pans', async (page, { x, y }) => {
    await page.mouse.click(x, y)
    await isShade(page, 255)
    await page.keyboard.down('Space')
    await drag(page, [x, y], [x + 120, y])
    await page.keyboard.up('Space')
    await isShade(page, 0)
    await isShade(page, 255, 120)
  }),
  rule('1 §9 mask: Ctrl/Cmd+Z undoes, Ctrl/Cmd+Shift+Z redoes', async (page, { x, y }) => {
    for (const command of ['Control', 'Meta']) {
      await page.mouse.click(x, y)
      await isShade(page, 255)
      await page.keyboard.press(`${command}+z`)
      await isShade(page, 0)
      await page.keyboard.press(`${command}+Shift+z`)
      await isShade(page, 255)
      await page.keyboard.press(`${command}+z`)
    }
  }),
  rule('1 §9 mask: Esc closes, and asks when something was drawn', async (page, { x, y }) => {
    await page.keyboard.press('Escape')
    await expect(editorOf(page)).toBeHidden()
    await drawMask(page)
    await expect(button(page, 'Invert')).toBeEnabled()
    await page.mouse.click(x, y)
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await isShade(page, 255)
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await expect(editorOf(page)).toBeHidden()
  }),
  rule('1 §9 mask: the right mouse button erases', async (page, { x, y }) => {
    await page.mouse.click(x, y)
    await isShade(page, 255)
    await page.mouse.click(x, y, { button: 'right' })
    await isShade(page, 0)
    await expect(button(page, 'Brush')).toHaveAttribute('aria-pressed', 'true')
  }),
  rule('1 §9 mask: shift-click draws a straight line', async (page, { x, y }) => {
    await set(page, 'Brush size', '10')
    await page.mouse.click(x - 100, y)
    await page.keyboard.down('Shift')
    await page.mouse.click(x + 100, y)
    await page.keyboard.up('Shift')
    await isShade(page, 255)
    await isShade(page, 255, 50)
    await isShade(page, 0, 0, 20)
  }),
  rule(
    '1 §9 mask: mobile is a width below 768 with touch; its initial zoom is 0.3',
    async (page) => {
      await expect(button(page, 'Zoom 30%: show all')).toBeVisible()
    },
    {
      width: 760,
      before: (page) => page.addInitScript(() => Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 })),
    },
  ),
  rule(
    '1 §9 mask: without touch a narrow window shows the whole picture',
    async (page) => {
      await expect(button(page, 'Zoom 92%: show all')).toBeVisible()
    },
    { width: 390 },
  ),
  rule(
    '1 §9 mask: the PNG is black where drawn, white elsewhere; 1 §7 the parts of the upload',
    async (page, middle) => {
      const request = page.waitForRequest(UPLOAD)
      await saveDot(page, middle)
      const sent = await request
      const { parts, png } = await sentForm(page)
      expect(pixelOf(png, 200, 150)).toEqual([0, 0, 0, 0])
      expect(pixelOf(png, 20, 150)).toEqual([255, 255, 255, 255])
      expect([parts.type, parts.subfolder, parts.kind]).toEqual(['input', 'clipspace', 'Image'])
      expect(JSON.parse(parts.original_ref ?? '{}')).toEqual({ filename: expect.any(String) })
      expect(sent.headers()['api-key']).toBeUndefined()
      const answer = (await (await sent.response())?.json()) as { asset: { url: string } }
      expect(answer.asset.url).toContain('/')
    },
    { before: keepForms },
  ),
  {
    proves: '1 §5 mask: a guest is asked to log in',
    path: app,
    see: async (page) => {
      await drawMask(page)
      await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
    },
  },
  {
    proves: "1 §5 mask: '편집할 이미지를 먼저 업로드해주세요.'",
    who: 'person',
    language: 'ko',
    before: fresh,
    path: app,
    see: async (page) => {
      await drawMask(page, 'ko')
      await expect(page.getByText('편집할 이미지를 먼저 업로드해주세요.', { exact: true })).toBeVisible()
    },
  },
  rule(
    "1 §5 mask: '마스크가 비어있습니다! 그리기를 먼저 해주세요.'",
    async (page) => {
      await page.keyboard.press('Control+s')
      await expectToast(page, /^마스크가 비어있습니다! 그리기를 먼저 해주세요\.$/)
    },
    { language: 'ko' },
  ),
  {
    proves: "1 §5 mask: '캔버스가 초기화되지 않았습니다!'",
    who: 'person',
    language: 'ko',
    before: fresh,
    path: app,
    see: async (page) => {
      await choose(page)
      await page.route('**/media/**', (route) => route.fulfill({ status: 500 }))
      await drawMask(page, 'ko')
      await expect(page.getByText('이미지를 불러오지 못했습니다.')).toBeVisible()
      await page.keyboard.press('Control+s')
      await expectToast(page, /^캔버스가 초기화되지 않았습니다!$/)
    },
  },
  rule(
    '1 §5 mask: an error for empty mask data',
    async (page, { x, y }) => {
      await page.mouse.click(x, y)
      await page.evaluate(() => Object.defineProperty(Blob.prototype, 'size', { get: () => 0 }))
      await page.keyboard.press('Control+s')
      await expectToast(page, '마스크 데이터가 비어있습니다. 다시 그려주세요.')
    },
    { language: 'ko' },
  ),
  rule(
    "1 §8 mask: '마스킹된 이미지가 적용되었습니다!', and the form has the masked picture",
    async (page, middle) => {
      await saveDot(page, middle)
      await expectToast(page, /^마스킹된 이미지가 적용되었습니다!$/)
      await expect(editorOf(page, 'ko')).toBeHidden()
      await expect(page.getByRole('main').getByText('masked-mask me.png')).toBeVisible()
    },
    { language: 'ko' },
  ),
  rule(
    "1 §8 mask: '마스크 저장 실패: {error}'",
    async (page, middle) => {
      await saveDot(page, middle)
      await expectToast(page, /^마스크 저장 실패: .+/)
      await expect(editorOf(page, 'ko')).toBeVisible()
    },
    { language: 'ko', before: (page) => mockRefusal(page, 'POST', UPLOAD) },
  ),
  rule(
    '1 §8 mask: an upload status other than 200 is an error',
    async (page, middle) => {
      await saveDot(page, middle)
      await expectToast(page, /^The mask could not be saved: .+/)
      await expect(editorOf(page)).toBeVisible()
    },
    { before: (page) => page.route(UPLOAD, (route) => route.fulfill({ status: 201, json: { url: '/x', asset: {} } })) },
  ),
  {
    proves: "1 §5 mask in the node editor: '편집할 이미지를 먼저 업로드해주세요.'",
    who: 'person',
    language: 'ko',
    before: (page) => standInEditor(page, { nodes: [], links: [] }),
    path: '/comfyui?new=true',
    see: async (page) => {
      await page.getByRole('button', { name: '더 보기' }).click()
      await page.getByRole('menuitem', { name: '마스크 그리기' }).click()
      await expectToast(page, /^편집할 이미지를 먼저 업로드해주세요\.$/)
    },
  },
  {
    proves: '1 §9 mask in the node editor: Ctrl/Cmd+S saves, and the node has the masked picture',
    who: 'person',
    before: async (page) => {
      const image = pngFile('node.png', SIZE, { type: 2, depth: 8 }, (_x, y) => (y === 0 ? Math.random() : 0.7))
      const sent = await page.request.post('/comfyui-editor/api/upload/image', {
        multipart: { image, type: 'input' },
        headers: await xsrf(page),
      })
      const { name } = (await sent.json()) as { name: string }
      await standInEditor(page, { nodes: [{ id: 1, type: 'LoadImage', inputs_of: { image: name } }], links: [] })
    },
    path: '/comfyui?new=true',
    see: async (page) => {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Draw a mask' }).click()
      await expect(button(page, 'Invert')).toBeEnabled()
      await editorOf(page).getByRole('application').click()
      await page.keyboard.press('Control+s')
      await expectToast(page, 'The masked picture was applied!')
      await expect(editorOf(page)).toBeHidden()
      const title = page.frameLocator('iframe').locator('title')
      await expect.poll(() => title.textContent()).toMatch(/^clipspace\/masked-node.*\.png$/)
    },
  },
  {
    proves: "the '?' list has the keys of the mask editor",
    path: '/',
    see: async (page) => {
      await page.keyboard.press('?')
      for (const text of ['Mask: brush, eraser, fill', 'Mask: erase', 'Mask: straight line', 'Mask: save'])
        await expect(page.getByText(text, { exact: true })).toBeVisible()
    },
  },
]
