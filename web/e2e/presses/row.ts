import type { Locator, Page } from '@playwright/test'
import type { Crew } from './crew'

/** A button that writes: how to get to it, and what may be sent when it is pressed several times. */
export type Press = {
  /** The feature and the exported hook that sends it: `comments/useReact`. */
  hook: string
  /**
   * Who presses: nobody that is known, somebody new whose address is confirmed and who has posts, somebody whose
   * account may be spoilt, or an admin.
   */
  who: 'guest' | 'member' | 'spare' | 'admin'
  /** What has to be there, made by requests; the rest of the row is told of it. */
  stage?: (crew: Crew) => Promise<string>
  /** Before the page is opened: answers of others than our server, made up. */
  before?: (page: Page, made: string, crew: Crew) => Promise<unknown>
  path: string | ((made: string, crew: Crew) => string)
  /** From the page to the button. */
  reach?: (page: Page, made: string, crew: Crew) => Promise<unknown>
  button: (page: Page, made: string) => Locator
  /** Presses this key on it, and not the mouse. */
  key?: string
  /** What is done in place of pressing it, where something else sends. */
  press?: (page: Page, presses: number) => Promise<unknown>
  /** All that may be sent, method and path with `:id` for ids, each once. */
  writes: string[]
  /** What may be said as an alert though nothing is wrong. */
  says?: RegExp
  /** What one press leaves behind, asked of the server or read after a reload; it throws where that is not so. */
  kept?: (page: Page, made: string, crew: Crew) => Promise<unknown>
}

export const named = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).first()
/** A button of the layer above the page. */
export const answer = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true })
