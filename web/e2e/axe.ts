import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type CDPSession, expect, type Page } from '@playwright/test'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; nodes: { html: string }[] }

const sessions = new WeakMap<Page, CDPSession>()

/** The debugger of a page, which has reduced motion from then on. */
async function sessionOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page)
  if (known) return known
  // Colours in transition, such as of a button that was just enabled, are not checked.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const session = await page.context().newCDPSession(page)
  sessions.set(page, session)
  return session
}

/** Opens a page and returns the accessibility rules that it violates. `prepare` runs first. */
export async function faultsOf(page: Page, path: string, prepare?: () => Promise<void>): Promise<string[]> {
  const session = await sessionOf(page)
  await page.goto(path)
  // The server's opening markup stays until the program has rendered.
  await expect(page.locator('.boot')).toHaveCount(0)
  await expect(page.locator('h1, [role=dialog]').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await prepare?.()
  // Through the debugger: the content policy blocks injected scripts.
  await session.send('Runtime.evaluate', { expression: axe })
  const { result } = await session.send('Runtime.evaluate', {
    // Without details of what passes, which take long on large pages.
    expression: `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))))`,
    awaitPromise: true,
  })
  const violations = JSON.parse(result.value as string) as Violation[]
  return violations.map(({ id, nodes }) => `${path}: ${id} at ${nodes[0]?.html.slice(0, 160)}`)
}
