import { expect, type Page } from '@playwright/test'

/** A phone and a desktop window. */
export const WINDOWS = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]
export const LONG_FILE = `${'a-very-long-name-'.repeat(8).slice(0, 116)}.png`
export const LONG_WORD = 'x'.repeat(300)

/** Nothing may be wider than the window: the page would scroll sideways. */
export async function fits(page: Page, where: string): Promise<void> {
  const { wide, widest } = await page.evaluate(() => {
    const past = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > window.innerWidth + 1 && one.getClientRects().length > 0,
    )
    const names = past.slice(0, 3).map((one) => `${one.tagName}.${one.className}`)
    return { wide: document.documentElement.scrollWidth - window.innerWidth, widest: names.join(', ') }
  })
  expect(wide, `${where}: ${widest}`).toBeLessThanOrEqual(0)
}
