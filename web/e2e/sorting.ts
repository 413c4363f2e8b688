import { expect, type Page } from '@playwright/test'

/** Lifts the entry whose handle has the focus and moves it by one place, ready to be dropped. */
export async function liftByKeyboard(page: Page, from: number, to: number): Promise<void> {
  await page.keyboard.press('Space')
  // Announced when the places are measured; an earlier arrow key has no effect.
  await expect(page.getByText(`Over place ${from}`)).toBeAttached()
  // The list listens to arrow keys in a timer of its own, which the announcement can overtake. This one is later.
  await page.evaluate(() => new Promise((done) => setTimeout(done)))
  await page.keyboard.press(to < from ? 'ArrowUp' : 'ArrowDown')
  await expect(page.getByText(`Over place ${to}`)).toBeAttached()
}
