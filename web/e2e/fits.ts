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
  const measure = () =>
    page.evaluate(() => {
      const past = [...document.querySelectorAll('body *')].filter(
        (one) => one.getBoundingClientRect().right > window.innerWidth + 1 && one.getClientRects().length > 0,
      )
      const names = past.slice(0, 3).map((one) => `${one.tagName}.${one.className}`)
      const wide = document.documentElement.scrollWidth - window.innerWidth
      return wide > 0 ? `${wide} px too wide: ${names.join(', ')}` : ''
    })
  // Content takes its new places after the window or the page has changed.
  await expect.poll(measure, { message: where }).toBe('')
}
