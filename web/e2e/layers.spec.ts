import { expect, test } from '@playwright/test'
import { become } from './site-pages'

test('a notice leaves the title of a tall dialog on a phone in sight, and the way to close it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 560 })
  await become(page, 'person')
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
  // A press by hand would scroll down to the button first, and the title out of sight.
  await send.dispatchEvent('click')
  const notice = page.locator('.ant-notification-notice').first()
  await expect(notice).toBeVisible()
  for (const kept of [dialog.getByText('Publish this picture?', { exact: true }), page.locator('.ant-modal-close')]) {
    await expect
      .poll(async () => {
        const [above, below] = await Promise.all([notice.boundingBox(), kept.boundingBox()])
        return above && below && below.y - (above.y + above.height)
      })
      .toBeGreaterThanOrEqual(0)
  }
})
