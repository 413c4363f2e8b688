import { expect, type Page } from '@playwright/test'
import { expectToast, mockRefusal, mockSuccess, type Row, withStealthMode } from './row'

const cards = (page: Page) => page.locator('article')
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const cardWith = (page: Page, text: string) => cards(page).filter({ hasText: text }).first()

const renamed = async (page: Page) => {
  await page.getByLabel('Name', { exact: true }).fill(`Mira ${Date.now() % 1000}`)
  await page.locator('form').getByRole('button', { name: 'Save' }).first().click()
}

/** Cards and pages of workflows: all actions, by role. */
export const POSTS: Row[] = [
  {
    proves: '1 §2 the card for its owner: publish or unpublish, edit, copy, delete; no favourite on own items',
    who: 'person',
    path: ({ me }) => `/profile/${me}/workflows`,
    before: withStealthMode,
    see: async (page) => {
      const card = cards(page).first()
      await card.hover()
      await expect(card.getByRole('button', { name: 'Share' })).toBeVisible()
      await expect(card.getByRole('button', { name: /^Favorite/ })).toHaveCount(0)
      await card.getByRole('button', { name: /^Actions for/ }).click()
      for (const name of ['Unpublish', 'Edit', 'Make a copy', 'Delete']) {
        await expect(card.getByRole('menuitem', { name, exact: true })).toBeVisible()
      }
      await expect(card.getByRole('menuitem', { name: 'Report' })).toHaveCount(0)
    },
  },
  {
    proves: '1 §2 the card in edited-date mode: the day of the last edit, and Upload, which leads to the upload step',
    who: 'person',
    path: ({ me }) => `/profile/${me}/workflow-files`,
    before: (page) =>
      page.route('**/api/general/workflow/unpublished/*', async (route) => {
        const own = await page.request.get('/api/general/workflow/my?limit=3')
        const { items } = (await own.json()) as { items: object[] }
        await route.fulfill({ json: { items: items.map((one) => ({ ...one, isPrivate: true })), nextCursor: null } })
      }),
    see: async (page) => {
      const card = cardWith(page, 'Private')
      await expect(card.getByText(/^Edited at \d{4}\.\d{2}\.\d{2}$/)).toBeVisible()
      await card.hover()
      await card.getByRole('button', { name: 'Upload' }).click()
      await expect(page).toHaveURL(/\/workflows\/edit\/[0-9a-f-]+\?isUpload=true$/)
    },
  },
  {
    proves: '1 §4 publishing a private workflow goes to its edit page with isUpload=true',
    who: 'person',
    path: ({ own }) => own && `/workflows/${own}`,
    before: (page) =>
      page.route('**/api/general/workflow/*', async (route) => {
        const workflow = (await (await route.fetch()).json()) as object
        await route.fulfill({ json: { ...workflow, isPrivate: true } })
      }),
    see: async (page) => {
      await press(page, 'Publish')
      await expect(page).toHaveURL(/\/workflows\/edit\/[0-9a-f-]+\?isUpload=true$/)
      await expect(
        page.getByRole('button', { name: 'Cancel upload' }).or(page.getByText('Cancel upload')),
      ).toBeVisible()
    },
  },
  ...(
    [
      ['admin', 'general'],
      ['person', 'public'],
    ] as const
  ).map(
    ([who, area]): Row => ({
      proves: `1 §6, §7 this role launches by PATCH /${area}/workflow/{id}/launch`,
      who,
      path: '/workflows',
      see: async (page) => {
        const card = cards(page)
          .filter({ has: page.getByRole('button', { name: 'Run' }) })
          .first()
        await card.hover()
        const asked = page.waitForRequest((request) => /\/launch$/.test(request.url()) && request.method() === 'PATCH')
        await card.getByRole('button', { name: 'Run' }).click()
        expect(new URL((await asked).url()).pathname).toMatch(new RegExp(`^/api/${area}/workflow/`))
      },
    }),
  ),
  {
    proves: "1 §5 a copy without a name is called 'Copy of {name}'; 1 §7 POST general/workflow/copy {workflow, name}",
    who: 'admin',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => mockRefusal(page, 'POST', '**/api/general/workflow/copy'),
    see: async (page, { post }) => {
      const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
      await press(page, 'Make a copy')
      const dialog = page.getByRole('dialog', { name: 'Copy workflow' })
      await dialog.getByLabel('Project name').fill('   ')
      const asked = page.waitForRequest('**/api/general/workflow/copy')
      await dialog.getByRole('button', { name: 'Copy' }).click()
      expect((await asked).postDataJSON()).toEqual({ workflow: post, name: `Copy of ${name}` })
    },
  },
  {
    proves: '1 §5 the workflow JSON is saved under the name of the project, with .json',
    path: ({ post }) => `/workflows/${post}`,
    see: async (page) => {
      const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
      const saved = page.waitForEvent('download')
      await press(page, 'Download JSON')
      expect((await saved).suggestedFilename()).toBe(`${name}.json`)
    },
  },
  {
    proves: "1 §8 a download that fails: 'Network response was not ok'",
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => mockRefusal(page, 'GET', '**/api/public/workflow/*/download'),
    see: async (page) => {
      await press(page, 'Download JSON')
      await expectToast(page, 'Network response was not ok')
    },
  },
  {
    proves: '1 §5 long names on cards are truncated',
    path: '/workflows',
    before: (page) =>
      page.route('**/api/public/workflow?*', async (route) => {
        const list = (await (await route.fetch()).json()) as { items: object[] }
        await route.fulfill({
          json: { ...list, items: list.items.map((one) => ({ ...one, name: 'long '.repeat(19) })) },
        })
      }),
    see: async (page) => {
      const name = cards(page).first().getByRole('heading', { level: 3 })
      const [width, needed] = await name.evaluate((one) => {
        const cut = [one, ...one.querySelectorAll('*')].find((part) => part.scrollWidth > part.clientWidth)
        return cut ? [cut.clientWidth, cut.scrollWidth] : [one.clientWidth, one.scrollWidth]
      })
      const lines = await name.evaluate((one) => one.getBoundingClientRect().height)
      expect(lines, 'it stays within two lines').toBeLessThan(60)
      expect(needed > width || lines > 20).toBe(true)
    },
  },
  ...(
    [
      [true, 'Your name was changed'],
      [false, 'The name could not be changed: made up'],
    ] as const
  ).map(
    ([works, text]): Row => ({
      proves: `1 §8 user name: '${text}'`,
      who: 'person',
      path: '/account',
      before: async (page) => {
        if (!works) return mockRefusal(page, 'PATCH', '**/api/auth/me/name', 400, 'TEAPOT')
        const me = (await (await page.request.get('/api/auth')).json()) as object
        await mockSuccess(page, 'PATCH', '**/api/auth/me/name', me)
      },
      see: async (page) => {
        await renamed(page)
        await expectToast(page, text)
      },
    }),
  ),
  ...(
    [
      [true, 'Saved.'],
      [false, 'made up'],
    ] as const
  ).map(
    ([works, text]): Row => ({
      proves: `1 §8 a project is renamed: '${text}'`,
      who: 'person',
      path: ({ own }) => own && `/workflows/edit/${own}`,
      before: async (page) => {
        if (!works) return mockRefusal(page, 'PATCH', '**/api/general/workflow/*', 400, 'TEAPOT')
        await page.route('**/api/general/workflow/*', async (route) => {
          if (route.request().method() !== 'PATCH') return route.fallback()
          await route.fulfill({ response: await page.request.get(route.request().url()) })
        })
      },
      see: async (page) => {
        await page.getByLabel('Name', { exact: true }).fill('A new name')
        await press(page, 'Save')
        await expectToast(page, text)
      },
    }),
  ),
  {
    proves: '1 §4 a change of language is stored in the account, and the page reloads',
    who: 'person',
    path: '/',
    before: (page) => mockSuccess(page, 'PATCH', '**/api/auth/me/language'),
    see: async (page) => {
      const asked = page.waitForRequest((request) => request.url().endsWith('/api/auth/me/language'))
      await press(page, 'Language')
      const loaded = page.waitForEvent('load')
      await page
        .getByRole('menuitemradio', { name: '한국어' })
        .or(page.getByRole('menuitem', { name: '한국어' }))
        .click()
      expect((await asked).postDataJSON()).toEqual({ language: 'ko' })
      await loaded
    },
  },
  {
    proves: '1 §3 workflow: every field',
    path: '/workflows',
    see: async (page, { post }) => {
      const found = (await (await page.request.get(`/api/public/workflow/${post}`)).json()) as Record<string, unknown>
      const fields =
        '_id name description user thumbnails cover likes likeCount viewCount launchCount isPrivate isNsfw editedAt createdAt publishedAt workflowTags workflowApi'
      expect(Object.keys(found)).toEqual(expect.arrayContaining(fields.split(' ')))
      const [tag] = found.workflowTags as object[]
      expect(Object.keys(tag ?? {})).toEqual(expect.arrayContaining(['_id', 'name', 'depth', 'parentTag']))
      const graph = (await (await page.request.get(`/api/public/workflow/${post}?select=prompt%20name`)).json()) as {
        prompt: string
      }
      expect(JSON.parse(graph.prompt)).toHaveProperty('workflow')
    },
  },
]
