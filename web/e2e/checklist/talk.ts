import { expect, type Page } from '@playwright/test'
import { mockSuccess, type Row } from './row'

/** Starts a comment with this text on the open workflow. */
async function begin(page: Page, words: string) {
  await page.getByRole('button', { name: 'Say something about it…' }).click()
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  await expect(field).toBeFocused()
  await page.keyboard.insertText(words)
}
const post = (page: Page) => page.getByRole('button', { name: 'Post', exact: true })

/** Mocks one notification as the whole box and history. */
const notified = async (page: Page, change: object) => {
  const one = {
    _id: '01970000-0000-7000-8000-00000000aaaa',
    type: 'REQUESTS',
    user: null,
    workflow: null,
    outputAsset: null,
    comment: null,
    categoryType: null,
    title: { workflow: 'Face model', count: null },
    recomment: false,
    content: null,
    othersType: null,
    createdAt: new Date().toISOString(),
    checkedAt: null,
    ...change,
  }
  const pagination = { currentPage: 1, totalPages: 1, totalCount: 1, limit: 20 }
  await mockSuccess(page, 'GET', '**/api/general/notification-box/history?*', { items: [one], pagination })
}

/** When a page received its first count of notifications, by its own clock. */
const counted = new WeakMap<Page, Promise<number>>()

/** Comments and notifications. */
export const TALK: Row[] = [
  {
    proves: '1 §5 the toolbar: headings 2 to 4, bold, italic, underline, link, image',
    who: 'admin',
    path: ({ post: id }) => `/workflows/${id}`,
    see: async (page) => {
      await begin(page, '')
      const bar = page.getByRole('toolbar').first()
      for (const name of ['Heading 2', 'Heading 3', 'Heading 4', 'Bold', 'Italic', 'Underline', 'Link', /picture/i]) {
        await expect(bar.getByRole('button', { name })).toBeVisible()
      }
    },
  },
  // Last of the two: its text is kept as a draft, which opens the field when the page is loaded again.
  {
    proves: '1 §5 comments: at most 580 characters, counted from 580 on; none and too many cannot be sent',
    who: 'admin',
    path: ({ post: id }) => `/workflows/${id}`,
    see: async (page) => {
      await begin(page, '')
      await expect(post(page)).toBeDisabled()
      await page.keyboard.insertText('x'.repeat(579))
      await expect(post(page)).toBeEnabled()
      await expect(page.getByText(/\/ 580$/)).toHaveCount(0)
      await page.keyboard.insertText('x')
      await expect(page.getByText('580 / 580', { exact: true })).toHaveCSS('color', 'rgb(255, 128, 128)')
      await expect(post(page)).toBeEnabled()
      await page.keyboard.insertText('x')
      await expect(page.getByText('581 / 580', { exact: true })).toBeVisible()
      await expect(post(page)).toBeDisabled()
    },
  },
  {
    proves: '1 §5 a guest who comments is asked to sign in; 1 §7 detail pages load 20',
    path: '/workflows',
    see: async (page, { post: id }) => {
      const asked = page.waitForRequest(/\/comment\/workflow\/[^?]+\?(?=.*page=1)(?=.*limit=20)/)
      await page.goto(`/workflows/${id}`)
      await page.getByRole('button', { name: 'Sign in to write a comment' }).click()
      await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
      await asked
    },
  },
  {
    proves: '1 §2 comments only when the image is not private',
    who: 'person',
    path: ({ picture }) => `/gallery/${picture}`,
    see: async (page) => {
      const comments = page.getByRole('heading', { name: /^Comments/ })
      await expect(comments).toBeVisible()
      await page.route('**/api/general/output-asset/*', async (route) => {
        const picture = (await (await route.fetch()).json()) as object
        await route.fulfill({ json: { ...picture, isPrivate: true } })
      })
      await page.reload()
      await expect(page.getByRole('button', { name: 'Download', exact: true })).toBeVisible()
      await expect(comments).toHaveCount(0)
    },
  },
  {
    proves: '1 §2 /notification/history?type=NOTICE, 1 §3 the types of notifications, 1 §7 limit=20',
    who: 'person',
    path: '/jobs',
    see: async (page) => {
      const asked = page.waitForRequest(/\/notification-box\/history\?(?=.*type=NOTICE)(?=.*limit=20)(?=.*sort=-1)/)
      await page.goto('/notification/history?type=NOTICE')
      await asked
      const main = page.getByRole('main')
      for (const name of ['All', 'Comments', 'Likes', 'Notices', 'Requests', 'Others']) {
        // The number of unread ones follows.
        await expect(main.getByRole('button', { name: new RegExp(`^${name}( |$)`) })).toBeVisible()
      }
      await expect(main.getByRole('switch').first()).toBeVisible()
    },
  },
  ...(
    [
      [1440, '999+'],
      [390, '99+'],
    ] as const
  ).map(
    ([width, badge]): Row => ({
      proves: `2 §9 the bell's badge says ${badge} at ${width} px`,
      who: 'person',
      width,
      path: '/jobs',
      before: (page) =>
        mockSuccess(page, 'GET', '**/api/general/notification-box/count-all', { count: 1000, byType: { LIKE: 1000 } }),
      see: (page) => expect(page.getByRole('banner').getByText(badge, { exact: true })).toBeVisible(),
    }),
  ),
  {
    proves: '2 §6 the bell and the start button need a login',
    path: '/',
    see: async (page) => {
      await expect(page.getByRole('banner').getByRole('button', { name: /^Notifications/ })).toHaveCount(0)
      for (const name of [/^Notifications/, 'Get started']) {
        await page.getByRole('button', { name }).first().click()
        await expect(page.getByRole('dialog', { name: /^(Welcome back|Create your account)$/ })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
    },
  },
  {
    proves: '2 §9 a notification row is 64 px high; one of REQUESTS without a target is no link',
    who: 'person',
    path: '/notification/history?type=REQUESTS',
    before: (page) => notified(page, {}),
    see: async (page) => {
      const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Face model' })
      expect(Math.round((await row.boundingBox())?.height ?? 0)).toBe(64)
      await expect(row.locator('a')).toHaveCount(0)
      await expect(row.getByRole('button')).toHaveText([''])
    },
  },
  {
    proves: '1 §3 REQUESTS: a longer notification opens in a dialog',
    who: 'person',
    path: '/notification/history?type=REQUESTS',
    before: async (page) => {
      await notified(page, { content: 'The model is installed.' })
      await mockSuccess(page, 'PATCH', '**/api/general/notification-box/check', { checkedCount: 1 })
    },
    see: async (page) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: /Face model/ })
        .click()
      const notice = page.getByRole('dialog', { name: 'News about your request: Face model' })
      await expect(notice.getByText('The model is installed.')).toBeVisible()
    },
  },
  {
    proves: '2 §7 the box is requested every 300000 ms',
    who: 'person',
    path: '/jobs',
    before: (page) => {
      const answered = page.waitForResponse((answer) => answer.url().includes('/notification-box/count-all'))
      counted.set(
        page,
        answered.then((answer) => answer.finished()).then(() => page.evaluate(() => Date.now())),
      )
      return page.clock.install()
    },
    see: async (page) => {
      // The interval starts at the first response.
      const from = await counted.get(page)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/notification-box/count-all')) asked.push(request.url())
      })
      // The clock stands still from here, so that a slow machine adds nothing.
      await page.clock.pauseAt((from ?? 0) + 60_000)
      await page.clock.runFor(239_000)
      expect(asked).toEqual([])
      await page.clock.runFor(2_000)
      await expect.poll(() => asked.length).toBe(1)
    },
    endsTest: true,
  },
]
