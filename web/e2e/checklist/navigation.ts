import { expect, type Page } from '@playwright/test'
import { isReplaced, markDocument } from '../people'
import { expectToast, mockRefusal, type Row } from './row'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Ways into and out of pages, the admin menu, the language: the second document. */
export const NAVIGATION: Row[] = [
  {
    proves: '2 §2 the workflow detail: a close button goes back, as Esc does',
    path: '/workflows?sort=view',
    see: async (page) => {
      // A different card each time: two clicks at the same place at once count as one.
      for (const [card, leave] of [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('main').getByRole('button', { name: 'Close' }).click(),
      ].entries()) {
        await page.locator('article').nth(card).locator('a[href^="/workflows/"]').first().click()
        await expect(page.getByRole('button', { name: 'Workflow preview' })).toBeVisible()
        await leave()
        await expect(page).toHaveURL(/\/workflows\?sort=view$/)
      }
    },
  },
  {
    proves: '2 §2 the workflow detail: after Run, going back still leaves the page',
    path: '/workflows',
    see: async (page, { post }) => {
      await page.locator(`article a[href="/workflows/${post}"]`).first().click()
      await press(page, 'Run')
      await expect(page).toHaveURL(/#run$/)
      await page.getByRole('main').getByRole('button', { name: 'Close' }).click()
      await expect(page).toHaveURL(/\/workflows$/)
    },
  },
  {
    proves: '2 §2 on an error the workflow detail offers a way to the home page',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => mockRefusal(page, 'GET', '**/api/public/workflow/*', 418, 'TEAPOT'),
    see: async (page) => {
      await page.getByRole('link', { name: 'Go to Home' }).click()
      await expect(page).toHaveURL(/:\d+\/$/)
    },
  },
  {
    proves: '2 §1 the start button is in the drawer on phones',
    who: 'person',
    width: 390,
    path: '/gallery',
    see: async (page) => {
      await press(page, 'Open menu')
      await page.getByRole('dialog', { name: 'Main' }).getByRole('link', { name: 'Create', exact: true }).click()
      await expect(page).toHaveURL(/\/comfyui\?new=true$/)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
  },
  {
    proves: '2 §2 admin menu: Marketing has the community videos, Operation an external support desk',
    who: 'admin',
    path: '/admin/workflow-files',
    before: (page) =>
      page.route('**/api/public/operator', async (route) => {
        const operator = (await (await route.fetch()).json()) as object
        await route.fulfill({ json: { ...operator, supportDesk: 'https://desk.example/' } })
      }),
    see: async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main' })
      for (const group of ['Marketing', 'Users', 'Notice', 'Operation', 'Content', 'System']) {
        await expect(menu.getByText(group, { exact: true })).toBeVisible()
      }
      const desk = menu.getByRole('link', { name: 'Support desk' })
      await expect(desk).toHaveAttribute('href', 'https://desk.example/')
      await expect(desk).toHaveAttribute('target', '_blank')
    },
  },
  {
    proves: '2 §2 /admin/list/jobs: filters by account, app and status, which the address keeps',
    who: 'admin',
    path: '/admin/list/jobs',
    see: async (page, { author, app }) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible()
      const { name } = (await (await page.request.get(`/api/public/user/${author}`)).json()) as { name: string }
      const account = page.getByRole('combobox', { name: 'Account', exact: true })
      await account.fill(name)
      await page.getByRole('listbox', { name: 'Account' }).getByRole('option', { name }).first().click()
      await expect(page).toHaveURL(/\?user=[0-9a-f-]{36}$/)
      await expect(account).toHaveValue(name)
      const apps = page.getByLabel('App ID or address')
      await apps.fill(`${new URL(page.url()).origin}/easy-app/${app}`)
      await apps.press('Enter')
      await expect(page).toHaveURL(new RegExp(`[?&]app=${app}(&|$)`))
      await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption('failed')
      await expect(page).toHaveURL(/[?&]status=failed(&|$)/)
      await page.reload()
      await expect(account).toHaveValue(name)
      await expect(apps).toHaveValue(app)
    },
  },
  {
    proves: '2 §6 a guest chooses a language: kept in the browser, and the page reloads in it',
    path: '/workflows',
    see: async (shared) => {
      // A browser of its own: the server sets the language of the others with each page.
      const context = await shared
        .context()
        .browser()
        ?.newContext({ baseURL: new URL(shared.url()).origin })
      const page = await context?.newPage()
      if (!page) throw new Error('the second browser has no page')
      await page.goto('/workflows')
      await markDocument(page)
      await press(page, 'Language')
      await page.getByRole('menuitemradio', { name: '한국어' }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
      await isReplaced(page)
      await expect(page.getByRole('heading', { level: 1, name: '워크플로우' })).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('vg.language'))).toBe('ko')
      await page.context().close()
    },
  },
  {
    proves: "2 §8 copying says 'Copied to {text}'",
    who: 'person',
    path: ({ jobs }) => (jobs.Done ? `/jobs/${jobs.Done}` : null),
    see: async (page, { jobs }) => {
      await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
      await press(page, 'Copy job ID')
      await expectToast(page, `Copied to ${jobs.Done}`)
    },
  },
]
