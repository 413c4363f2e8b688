import { expect, type Page } from '@playwright/test'
import { ONE_NODE, standInEditor } from '../editor-frame'
import type { Row } from './row'

const before = (page: Page) => standInEditor(page, ONE_NODE)
const frame = (page: Page) => page.locator('iframe[title="Node editor"]')
const isReady = (page: Page) => expect(page.getByRole('main').getByRole('button', { name: 'Save' })).toBeEnabled()
const shows = (address: string) => async (page: Page) => {
  await expect(frame(page)).toHaveAttribute('src', address)
  await isReady(page)
}
/** Sends a message as the editor's frame. */
const say = (page: Page, message: object) =>
  page
    .frameLocator('iframe')
    .locator('body')
    .evaluate((body, given) => body.ownerDocument.defaultView?.parent.postMessage(given, location.origin), message)
const pick = async (page: Page, item: string) => {
  await isReady(page)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** The node editor at /comfyui. */
export const EDITOR: Row[] = [
  {
    proves: '1 §2 /comfyui needs a login',
    path: '/comfyui?new=true',
    see: (page) => expect(page.getByText('Sign in to use the node editor')).toBeVisible(),
  },
  {
    proves: '1 §2 /comfyui opens an empty project',
    who: 'person',
    before,
    path: '/comfyui',
    see: shows('/comfyui-editor/'),
  },
  {
    proves: '1 §2 /comfyui?new=true opens a new workflow',
    who: 'person',
    before,
    path: '/comfyui?new=true',
    see: shows('/comfyui-editor/?new=true'),
  },
  {
    proves: '1 §2 /comfyui?flow={id} opens a workflow under its name',
    who: 'person',
    before,
    path: ({ own }) => `/comfyui?flow=${own}`,
    see: async (page) => {
      await isReady(page)
      await expect(page.getByLabel('Project name')).not.toHaveValue('Untitled')
    },
  },
  {
    proves: '1 §2 /comfyui?image={output asset id}',
    who: 'person',
    before,
    path: ({ picture }) => `/comfyui?image=${picture}`,
    see: (page) => expect(frame(page)).toHaveAttribute('src', /\/comfyui-editor\/\?image=[0-9a-f-]+$/),
  },
  {
    proves: '1 §2 /comfyui?job={job id}',
    who: 'person',
    before,
    path: ({ jobs }) => `/comfyui?job=${jobs.Done}`,
    see: (page) => expect(frame(page)).toHaveAttribute('src', /\/comfyui-editor\/\?job=[0-9a-f-]+$/),
  },
  {
    proves: '1 §2 ?readonly=true&flow={id} is the embedded preview, also for guests',
    before,
    path: ({ post }) => `/comfyui?flow=${post}&readonly=true`,
    see: (page) =>
      expect(page.locator('iframe')).toHaveAttribute('src', /\/comfyui-editor\/\?flow=[0-9a-f-]+&readonly=true$/),
  },
  {
    proves: '1 §4 export workflow and export workflow API are layers; 1 §5 .json is appended when requested',
    who: 'person',
    before,
    path: '/comfyui',
    see: async (page) => {
      for (const item of ['Export workflow', 'Export workflow (API)']) {
        await pick(page, item)
        const dialog = page.getByRole('dialog', { name: item, exact: true })
        await expect(dialog.getByLabel('Append .json')).toBeChecked()
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      }
    },
  },
  {
    proves: '1 §4 no-credit prompt in the editor; 1 §8 see plans or later',
    who: 'person',
    before,
    path: '/comfyui',
    see: async (page) => {
      await isReady(page)
      await say(page, { type: 'noCredits' })
      const dialog = page.getByRole('dialog', { name: 'Not enough credits' })
      await expect(dialog.getByRole('link', { name: 'See plans' })).toHaveAttribute('href', '/pricing')
      await dialog.getByRole('button', { name: 'Later' }).click()
      await expect(dialog).toHaveCount(0)
    },
  },
  {
    proves: "1 §5 a copy asks for a project name, 'Copy of {name}' by default",
    who: 'person',
    before,
    path: '/comfyui',
    see: async (page) => {
      await pick(page, 'Save as copy')
      await expect(page.getByRole('dialog').getByLabel('Name')).toHaveValue('Copy of Untitled')
    },
  },
]
