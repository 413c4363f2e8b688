import { expect, type Locator, type Page, test } from '@playwright/test'
import { drawPicture, findApp, signUp } from './people'

/** The opacity of a picture in its middle and at its edge, 0 to 255. */
const opacity = (picture: Locator) =>
  picture.evaluate(async (image: HTMLImageElement) => {
    await image.decode()
    const [width, height] = [image.naturalWidth, image.naturalHeight]
    const context = new OffscreenCanvas(width, height).getContext('2d')
    if (!context) throw new Error('no canvas')
    context.drawImage(image, 0, 0)
    const at = (x: number, y: number) => context.getImageData(x, y, 1, 1).data[3]
    return { middle: at(width >> 1, height >> 1), edge: at(1, height >> 1) }
  })

/** Draws a vertical stroke across the middle of the picture. */
async function stroke(page: Page, stage: Locator) {
  const box = await stage.boundingBox()
  if (!box) throw new Error('nothing to draw on')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y - 20)
  await page.mouse.down()
  await page.mouse.move(x, y + 20, { steps: 8 })
  await page.mouse.up()
}

test('a mask drawn on a chosen picture replaces it in the form and is used by the run', async ({ page }) => {
  await signUp(page)
  const app = await findApp(page, { image: true })
  await page.goto(`/easy-app/${app.id}`)
  await page.getByRole('button', { name: 'Draw a mask' }).first().click()
  await expect(page.getByText('Please upload a picture to edit first.')).toBeVisible()

  const picture = await drawPicture(page)
  await page.locator('input[type=file]').first().setInputFiles(picture)
  const chosen = page.getByAltText(/^Chosen picture /).first()
  await expect(chosen).toBeVisible()
  const before = await chosen.getAttribute('src')
  expect(await opacity(chosen)).toEqual({ middle: 255, edge: 255 })

  await page.getByRole('button', { name: 'Draw a mask' }).first().click()
  const editor = page.getByRole('dialog', { name: 'Draw a mask' })
  const stage = editor.getByRole('application')
  await expect(editor.getByRole('button', { name: 'Invert' })).toBeEnabled()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('The mask is empty! Please draw something first.')).toBeVisible()

  const size = editor.getByLabel('Brush size')
  await expect(size).toHaveValue('50')
  await page.keyboard.press(']')
  await expect(size).toHaveValue('55')
  await page.keyboard.press('[')
  await expect(size).toHaveValue('50')

  await stroke(page, stage)
  await page.keyboard.press('Control+z')
  await expect(editor.getByRole('button', { name: 'Undo' })).toBeDisabled()
  await page.keyboard.press('Control+Shift+z')
  await expect(editor.getByRole('button', { name: 'Redo' })).toBeDisabled()

  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()

  const answer = page.waitForResponse((response) => response.url().endsWith('/comfyui-editor/api/upload/mask'))
  await editor.getByRole('button', { name: 'Save' }).click()
  expect((await answer).status()).toBe(200)
  await expect(editor).toBeHidden()
  await expect(page.getByText('The masked picture was applied!')).toBeVisible()
  await expect(chosen).not.toHaveAttribute('src', before ?? '')
  expect(await opacity(chosen)).toEqual({ middle: 0, edge: 255 })

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open picture 1 in full' })).toBeVisible({ timeout: 60_000 })
})
