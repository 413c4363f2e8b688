import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { html: string }[] }

/** Opens a page and says which accessibility rules it breaks. `prepare` does what has to be done on it first. */
export async function faultsOf(page: Page, path: string, prepare?: () => Promise<void>): Promise<string[]> {
  // A colour on its way to another one is none that anybody has to read: of a button that has just been enabled.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(path)
  // What the server has written into the page stays until the program has as much to show.
  await expect(page.locator('.boot')).toHaveCount(0)
  await expect(page.locator('h1, [role=dialog]').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await prepare?.()
  // By the debugger's door: the content policy (rightly) lets no script of ours into the page.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: axe })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))))`,
    awaitPromise: true,
  })
  await session.detach()
  const violations = JSON.parse(result.value as string) as Violation[]
  return violations.map(({ id, nodes }) => `${path}: ${id} at ${nodes[0]?.html.slice(0, 160)}`)
}
