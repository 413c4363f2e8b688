import type { Locator, Page } from '@playwright/test'
import type { Fixtures } from './fixtures'

/** A button that writes: how to reach it, and the requests that several clicks may send. */
export type Press = {
  /** The feature and the exported hook that sends it: `comments/useSetReaction`. */
  hook: string
  /** A guest, a confirmed new user with posts, a user whose account may be damaged, or an admin. */
  who: 'guest' | 'member' | 'spare' | 'admin'
  /** Prepares data by requests. Its result is passed to the other fields. */
  stage?: (fixtures: Fixtures) => Promise<string>
  /** Mocks that are set before the page opens. */
  before?: (page: Page, made: string, fixtures: Fixtures) => Promise<unknown>
  path: string | ((made: string, fixtures: Fixtures) => string)
  /** Steps from the page to the button. */
  reach?: (page: Page, made: string, fixtures: Fixtures) => Promise<unknown>
  button: (page: Page, made: string) => Locator
  /** Presses this key instead of the mouse. */
  key?: string
  /** Replaces the click where another action sends the request. */
  press?: (page: Page, presses: number) => Promise<unknown>
  /** The allowed writes, each once, as method and path with `:id` for ids. */
  writes: string[]
  /** Expected alerts. */
  says?: RegExp
  /** Checks the result of one click, from the server or after a reload. Throws if it is wrong. */
  kept?: (page: Page, made: string, fixtures: Fixtures) => Promise<unknown>
}

export const mainButton = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first()
/** A button of the topmost layer. */
export const dialogButton = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true })
