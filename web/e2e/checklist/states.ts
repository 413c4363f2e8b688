import { expect, type Page } from '@playwright/test'
import { PIXEL } from '../people'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'

/** Overrides fields of a workflow. */
const workflowWith = async (page: Page, changes: object) => {
  await page.route('**/api/*/workflow/*', async (route) => {
    const workflow = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...workflow, ...changes } })
  })
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Error screens and the appearance of states. */
export const STATES: Row[] = [
  {
    proves: '1 §2, §8 status 401 goes to /not-found',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => mockRefusal(page, 'GET', '**/api/public/workflow/*', 401, 'AUTH_LOGIN_REQUIRED'),
    see: (page) => expect(page).toHaveURL(/\/not-found$/),
  },
  {
    proves: '1 §2 a 404 view shows status and title, and goes back',
    path: '/workflows/01970000-0000-7000-8000-00000000dead',
    see: async (page) => {
      await expect(page.getByText('404', { exact: true })).toBeVisible()
      await expect(page.getByRole('heading', { level: 1, name: 'This page does not exist' })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Go back' })).toBeVisible()
    },
  },
  {
    proves: "1 §2 other errors show 'Something went wrong' with the message and a retry",
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => mockRefusal(page, 'GET', '**/api/public/workflow/*', 418, 'TEAPOT'),
    see: async (page) => {
      await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
      await expect(page.getByText('made up')).toBeVisible()
      await page.unroute('**/api/public/workflow/*')
      await press(page, 'Try Again')
      await expect(page.getByRole('button', { name: 'Workflow preview' })).toBeVisible()
    },
  },
  {
    proves: "1 §2 the generic screen: 'Error...' with a Try Again button that resets the view",
    path: ({ picture }) => `/gallery/${picture}`,
    before: (page) => page.route('**/api/public/output-asset/*', (route) => route.fulfill({ body: 'no json' })),
    see: async (page) => {
      await expect(page.getByRole('heading', { name: 'Error...' })).toBeVisible()
      await page.unroute('**/api/public/output-asset/*')
      await press(page, 'Try Again')
      await expect(page.getByRole('button', { name: 'Share' })).toBeVisible()
    },
  },
  {
    proves: "1 §9 toasts: at the top, 44 px down, with a bar, for 10 s; 1 §2 share says 'Link copied to clipboard'",
    path: ({ post }) => `/workflows/${post}`,
    see: async (page) => {
      await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
      await press(page, 'Share')
      await expectToast(page, 'Link copied to clipboard')
      const notice = page.locator('[data-toast]').first()
      await expect.poll(async () => Math.round((await notice.boundingBox())?.y ?? 0)).toBe(44)
      const bars = () =>
        notice.evaluate((one) =>
          one
            .getAnimations({ subtree: true })
            .filter(({ effect }) => effect?.getTiming().duration === 10_000)
            .map((bar) => bar.playState),
        )
      await expect.poll(bars).toEqual(['running'])
      await notice.hover()
      expect(await bars(), 'pauses under the pointer').toEqual(['paused'])
    },
  },
  {
    proves: '1 §4 a like changes the count by one at once and comes back when it fails',
    who: 'admin',
    path: ({ post }) => `/workflows/${post}`,
    see: async (page) => {
      let answer = () => {}
      const asked = new Promise<void>((done) => {
        answer = done
      })
      await page.route('**/api/general/workflow-like/*', async (route) => {
        await asked
        await route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up' } })
      })
      const heart = page.getByRole('main').getByRole('button', { name: /^(Favorite|Remove from favorites)/ })
      const count = async () => Number(/\d+$/.exec((await heart.innerText()).trim())?.[0] ?? 0)
      const before = await count()
      await heart.click()
      await expect.poll(async () => Math.abs((await count()) - before)).toBe(1)
      answer()
      await expect.poll(count).toBe(before)
    },
  },
  {
    proves: '1 §5 like is off on own content',
    who: 'person',
    path: ({ own }) => `/workflows/${own}`,
    see: async (page) => {
      await expect(page.getByText('Your plan cannot make it private again; you can delete it.')).toBeVisible()
      await expect(page.getByRole('main').getByRole('button', { name: /^Favorite/ })).toHaveCount(0)
    },
  },
  {
    proves: '1 §5 a guest who likes is asked to sign in',
    path: ({ post }) => `/workflows/${post}`,
    see: async (page) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /^Favorite/ })
        .click()
      await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
    },
  },
  {
    proves: '1 §9 counts are N.NK from 1000 and 99K+ above 99999',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => workflowWith(page, { viewCount: 1234, launchCount: 99_999, likeCount: 100_000 }),
    see: async (page) => {
      for (const count of ['1.2K', '99.9K', '99K+']) {
        await expect(page.getByRole('main').getByText(count, { exact: true }).first()).toBeVisible()
      }
    },
  },
  {
    proves: '1 §5 tag chips are cut at 25 characters with an ellipsis',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) => {
      const name = 'abcdefghijklmnopqrstuvwxyz'
      const tag = { _id: '01970000-0000-7000-8000-000000000101', name, nameKo: name, depth: 1, parentTag: null }
      return workflowWith(page, { workflowTags: [{ ...tag, childrenTags: [] }] })
    },
    see: (page) => expect(page.getByText('abcdefghijklmnopqrstuvwxy…', { exact: true })).toBeVisible(),
  },
  {
    proves: "1 §4, 2 §4 private and deleted images are disabled, with the reason 'hidden'",
    path: ({ author }) => `/profile/${author}/gallery`,
    before: (page) =>
      page.route('**/api/public/output-asset/published/*', async (route) => {
        const list = (await (await route.fetch()).json()) as { items: object[] }
        const [first, second, ...rest] = list.items
        const items = [{ ...first, isPrivate: true }, { ...second, viewCount: -1 }, ...rest]
        await route.fulfill({ json: { ...list, items } })
      }),
    see: async (page) => {
      for (const [at, why] of ['Hidden', 'Deleted'].entries()) {
        const tile = page.getByRole('main').getByRole('listitem').filter({ hasText: why }).first()
        await expect(tile, String(at)).toBeVisible()
        await expect(tile.getByRole('link')).toHaveCount(0)
      }
    },
  },
  {
    proves: '2 §4 unpublished images are grouped by day, with the days that are left',
    who: 'person',
    path: ({ me }) => `/profile/${me}/image-files`,
    before: (page) =>
      page.route('**/api/general/output-asset/unpublished/*', async (route) => {
        const list = (await (await page.request.get('/api/general/output-asset/my?limit=5')).json()) as {
          items: object[]
        }
        await route.fulfill({ json: { ...list, items: list.items.map((one) => ({ ...one, isPrivate: true })) } })
      }),
    see: (page) => expect(page.getByText(/^(\d+ days? left|Scheduled to expire)$/).first()).toBeVisible(),
  },
  {
    proves: '1 §2 two workflows can be under a technical error',
    path: ({ post }) => `/workflows/${post}`,
    before: (page) =>
      page.route('**/api/public/announcement', async (route) => {
        const all = (await (await route.fetch()).json()) as object
        const id = page.url().split('/').pop()
        const workflows = id ? [id] : []
        const text = { en: 'It will be uploaded in July.', ko: '7월에 업로드됩니다.' }
        const title = { en: 'Technical error', ko: '기술적 오류' }
        await route.fulfill({ json: { ...all, workflowAlert: { workflows, title, text } } })
      }),
    see: (page) => expect(page.getByText('It will be uploaded in July.')).toBeVisible(),
  },
  {
    proves: "1 §4 no job: 'Run the API to generate images!'",
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    see: (page) => expect(page.getByText('Run the API to generate images!')).toBeVisible(),
  },
  {
    proves: "2 §8 contact points: 'updated successfully' for 2 s",
    who: 'person',
    path: ({ me }) => `/profile/${me}`,
    before: (page) => mockSuccess(page, 'POST', '**/api/general/contact-point'),
    see: async (page) => {
      await press(page, 'Contact points')
      await press(page, 'Save')
      await expectToast(page, /^Updated successfully$/)
      // Others stay for ten seconds.
      await expect(page.locator('[data-toast]')).toHaveCount(0, { timeout: 8000 })
    },
  },
  {
    proves: "2 §8 contact points: 'update failed, try again'",
    who: 'person',
    path: ({ me }) => `/profile/${me}`,
    before: (page) => mockRefusal(page, 'POST', '**/api/general/contact-point'),
    see: async (page) => {
      await press(page, 'Contact points')
      await press(page, 'Save')
      await expectToast(page, /^Update failed, try again/)
    },
  },
  {
    proves: "2 §5 avatar: 'upload an image of 10MB or less'",
    who: 'person',
    path: '/account',
    see: async (page) => {
      const buffer = Buffer.concat([PIXEL, Buffer.alloc(10_485_760)])
      await page.locator('input[type=file]').first().setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
      await expect(page.getByText(/^upload an image of 10MB or less$/i)).toBeVisible()
    },
  },
  {
    proves: '1 §4 signing in goes back to the page that asked for it',
    path: '/jobs',
    see: async (page) => {
      await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click()
      expect(await page.evaluate(() => Object.values(sessionStorage))).toContain('/jobs')
    },
  },
]
