import { expect, type Page, test } from '@playwright/test'
import { drawPicture, findApp, makePost, openResult, signUp } from './people'
import { sendRequest } from './site-pages'

type Drawn = { name: string; mimeType: string; buffer: Buffer }

/** Drops or pastes a file on an element, as the browser does it. */
const bring = (page: Page, type: 'drop' | 'paste', target: string, { name, mimeType, buffer }: Drawn) =>
  page.evaluate(
    ([event, selector, fileName, mime, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      const files = new DataTransfer()
      files.items.add(new File([bytes], fileName, { type: mime }))
      const options = { bubbles: true, cancelable: true }
      const made =
        event === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: files })
          : new ClipboardEvent('paste', { ...options, clipboardData: files })
      document.querySelector(selector)?.dispatchEvent(made)
    },
    [type, target, name, mimeType, buffer.toString('base64')] as const,
  )

test('My Images: upload, drop, paste, delete and pick', async ({ page }) => {
  await signUp(page)
  const app = await findApp(page, { image: true })
  await page.goto(`/easy-app/${app.id}`)
  await page.getByRole('button', { name: 'My Images' }).first().click()
  const picker = page.getByRole('dialog', { name: 'My Images' })
  await expect(picker.getByText(/^You have no pictures yet/)).toBeVisible()

  const named = async (name: string) => ({ ...(await drawPicture(page, 128)), name })
  const chooser = page.waitForEvent('filechooser')
  await picker.getByRole('button', { name: 'Upload', exact: true }).click()
  await (await chooser).setFiles([await named('one.png'), await named('two.png')])
  await expect(picker.getByRole('button', { name: 'Use two.png' })).toBeVisible()
  await bring(page, 'drop', '[role=dialog] ul', await named('dropped.png'))
  await expect(picker.getByRole('button', { name: 'Use dropped.png' })).toBeVisible()
  await bring(page, 'paste', 'body', await named('pasted.png'))
  await expect(picker.getByRole('button', { name: /^Use / })).toHaveCount(4)
  await expect(picker.getByRole('button', { name: /^Use / }).first()).toHaveAccessibleName('Use pasted.png')
  // The form behind the picker took none of them.
  await expect(page.getByAltText(/^Chosen picture/)).toHaveCount(0)

  await picker.getByRole('button', { name: 'Delete one.png' }).click()
  const question = page.getByRole('dialog', { name: 'Delete one.png?' })
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(picker.getByRole('button', { name: 'Use one.png' })).toHaveCount(0)

  await picker.getByRole('button', { name: 'Use dropped.png' }).press('Enter')
  await expect(picker).toHaveCount(0)
  await expect(page.getByAltText('Chosen picture dropped.png')).toBeVisible()
})

test('an own output becomes a picture of a workflow, and its viewers see it', async ({ page, request }) => {
  await signUp(page)
  const post = await makePost(page, 'With own pictures')
  const color = Math.floor(Math.random() * 0xffffff)
  const prompt = {
    1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 1, color } },
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'own' } },
  }
  expect((await sendRequest(page, 'post', '/api/general/job/prompt', { prompt })).status()).toBe(201)
  const outputs = async () => {
    const answer = await page.request.get('/api/general/output-asset/my?limit=10')
    return ((await answer.json()) as { items: { _id: string; rawUrl: string }[] }).items
  }
  await expect.poll(async () => (await outputs()).length, { timeout: 60_000 }).toBe(1)
  const [output] = await outputs()
  if (!output) throw new Error('no output was made')
  expect((await request.get(output.rawUrl)).status()).toBe(404)

  await page.goto(`/workflows/edit/${post}`)
  await page.getByRole('button', { name: 'Add from my pictures' }).click()
  const picker = page.getByRole('dialog', { name: 'My pictures' })
  await picker.getByRole('button', { name: /^Add the picture of / }).click()
  await expect(picker.getByText('1 picture added')).toBeVisible()
  await picker.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('list', { name: 'Pictures' }).getByRole('button', { name: /^Move picture/ })).toHaveCount(
    2,
  )
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/workflows/${post}$`))

  const seen = await request.get(`/api/public/workflow/${post}`)
  const { thumbnails } = (await seen.json()) as { thumbnails: { url: string }[] }
  expect(thumbnails).toHaveLength(2)
  expect((await request.get(thumbnails[1]?.url ?? '')).status()).toBe(200)
  expect((await request.get(`/api/public/output-asset/${output._id}`)).status()).toBe(404)
})

test('a result is compared with its input by keyboard and by pointer', async ({ page }) => {
  await signUp(page)
  const app = await findApp(page, { image: true })
  await page.goto(`/easy-app/${app.id}`)
  await openResult(page, 256)
  await page.getByRole('button', { name: 'Compare with the input' }).click()
  const border = page.getByRole('slider', { name: 'Border between input and result' })
  await expect(border).toHaveAttribute('aria-valuetext', '50% shows the input')
  await border.press('Home')
  await expect(border).toHaveValue('0')
  await border.press('ArrowRight')
  await expect(border).toHaveValue('1')
  await border.press('End')
  await expect(border).toHaveValue('100')
  const box = await border.boundingBox()
  if (!box) throw new Error('the slider has no size')
  await page.mouse.click(box.x + box.width / 4, box.y + box.height / 2)
  await expect.poll(async () => Math.abs(Number(await border.inputValue()) - 25)).toBeLessThanOrEqual(2)
  await page.keyboard.press('Escape')
  await expect(border).toHaveCount(0)
})
