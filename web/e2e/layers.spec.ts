import { expect, test } from '@playwright/test'
import { signInAs } from './site-pages'

// Toasts and dialogs move to their places.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a toast covers neither the title nor the close button of a tall dialog on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await signInAs(page, 'person')
  await page.route('**/api/general/output-asset/my?*', async (route) => {
    const list = (await (await route.fetch()).json()) as { items: object[] }
    await route.fulfill({ json: { ...list, items: list.items.map((one) => ({ ...one, isPrivate: true })) } })
  })
  await page.route('**/api/general/output-asset/privates', (route) =>
    route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up', requestId: 'r'.repeat(36) } }),
  )
  await page.goto('/pictures')
  await page.getByRole('list', { name: 'My pictures' }).getByRole('checkbox').first().click()
  await page.getByRole('region', { name: 'Selected pictures' }).getByRole('button', { name: 'Publish' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish this picture?' })
  const send = dialog.getByRole('button', { name: 'Publish' })
  await expect(send).toBeEnabled()
  // A real click would scroll to the button first and move the title out of sight.
  await send.dispatchEvent('click')
  const notice = page.locator('[data-toast]').first()
  await expect(notice).toBeVisible()
  for (const kept of [
    dialog.getByText('Publish this picture?', { exact: true }),
    dialog.getByRole('button', { name: 'Close' }),
  ]) {
    await expect
      .poll(async () => {
        const [above, below] = await Promise.all([notice.boundingBox(), kept.boundingBox()])
        return above && below && below.y - (above.y + above.height)
      })
      .toBeGreaterThanOrEqual(0)
  }
})
