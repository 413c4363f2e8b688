import { expect, type Page } from '@playwright/test'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'

const LIST = '**/api/public/output-asset?*'
const LIKE = '**/api/general/output-asset-like/*'

/** Overrides fields of the gallery's first picture. */
const firstWith = (page: Page, changes: object) =>
  page.route(LIST, async (route) => {
    const list = (await (await route.fetch()).json()) as { items: object[] }
    const items = list.items.map((one, at) => (at === 0 ? { ...one, ...changes } : one))
    await route.fulfill({ json: { ...list, items } })
  })

/** A refusal with details. */
const say = (page: Page, method: string, address: string, status: number, body: object, headers = {}) =>
  page.route(address, (route) =>
    method.split('|').includes(route.request().method())
      ? route.fulfill({ status, headers, json: { message: 'made up', requestId: 'r', ...body } })
      : route.fallback(),
  )

const like = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()
const pause = { en: 'Publishing is paused until noon', ko: '정오까지 업로드가 중단됩니다' }
const paused = (page: Page) =>
  page.route('**/api/public/announcement', async (route) => {
    const all = (await (await route.fetch()).json()) as object
    await route.fulfill({ json: { ...all, galleryPause: pause } })
  })

/** Pictures: their origin, their visibility, and why an action is not possible. */
export const PICTURES: Row[] = [
  {
    proves: '1 §2 /gallery/{id}: the workflow preview, read-only, beside the picture',
    path: ({ picture }) => `/gallery/${picture}`,
    see: async (page) => {
      const layer = page.getByRole('dialog', { name: 'Picture' })
      await layer.getByRole('button', { name: 'Workflow preview' }).click()
      await expect(layer.getByRole('img', { name: /^Graph of .+ with \d+ nodes?$/ })).toBeVisible()
      await expect(layer.locator('figure a[href^="/workflows/"]')).toBeVisible()
      await expect(layer.locator('figure').locator('input, textarea, select, button')).toHaveCount(0)
      await layer.getByRole('button', { name: 'Show the picture' }).click()
      await expect(layer.locator('img[src*="/media/raw/"], video').first()).toBeVisible()
    },
  },
  {
    proves: '1 §2 /gallery/{id}: the private origin of a picture is hidden, and the page says so',
    path: ({ picture }) => `/gallery/${picture}`,
    before: (page) => mockRefusal(page, 'GET', '**/api/public/output-asset/*select=*', 404, 'NOT_FOUND'),
    see: async (page) => {
      await page.getByRole('button', { name: 'Workflow preview' }).click()
      await expect(page.getByText('No preview', { exact: true })).toBeVisible()
    },
  },
  {
    proves: '1 §3 visibility View, Hide, Only: sensitive pictures are blurred or hidden',
    path: '/gallery',
    before: (page) => firstWith(page, { isNsfw: true }),
    see: async (page) => {
      const tile = page.getByRole('list', { name: 'Gallery' }).getByRole('listitem').first()
      await expect(tile.getByText('Sensitive content')).toBeVisible()
      await expect(tile.getByRole('link')).toHaveCount(0)
      await tile.getByRole('button', { name: /Show anyway|Show it|Sensitive content/ }).click()
      await expect(tile.getByRole('link')).toBeVisible()
      const asked = page.waitForRequest((request) => /\/public\/output-asset\?.*nsfw=Hide/.test(request.url()))
      await page.getByRole('combobox', { name: 'Sensitive content' }).selectOption('hide')
      await asked
    },
  },
  {
    proves: '1 §8 a failed action shows the reason to a banned user',
    who: 'admin',
    language: 'ko',
    path: ({ picture }) => `/gallery/${picture}`,
    before: (page) =>
      say(page, 'PUT|DELETE', LIKE, 403, { code: 'ACCOUNT_BANNED', details: { until: null, reason: '도배' } }),
    see: async (page) => {
      await like(page, '좋아요')
      await expectToast(page, '서버 오류가 발생했습니다. 잠시 후 다시 시도해주세요')
      await expectToast(page, '계정 이용이 무기한 제한되었습니다. 사유: 도배')
    },
  },
  ...(
    [
      ['en', 'Like', 'The service is busy right now. Please try again in 7 seconds.'],
      ['ko', '좋아요', '지금은 요청이 많아 처리할 수 없습니다. 7초 후에 다시 시도해주세요.'],
    ] as const
  ).map(
    ([language, button, text]): Row => ({
      proves: `1 §8 service busy: '${text}'`,
      who: 'admin',
      language,
      path: ({ picture }) => `/gallery/${picture}`,
      before: (page) => say(page, 'PUT|DELETE', LIKE, 503, { code: 'UNAVAILABLE' }, { 'Retry-After': '7' }),
      see: async (page) => {
        await like(page, button)
        await expectToast(page, text)
      },
    }),
  ),
  {
    proves: '1 §8 the notice that putting pictures into the gallery is paused, on the pages and in the toast',
    who: 'person',
    path: '/pictures',
    before: async (page) => {
      await paused(page)
      await page.route('**/api/general/output-asset/my?*', async (route) => {
        const list = (await (await route.fetch()).json()) as { items: object[] }
        await route.fulfill({ json: { ...list, items: list.items.map((one) => ({ ...one, isPrivate: true })) } })
      })
      const body = { code: 'GALLERY_PAUSED', details: pause }
      await say(page, 'PATCH', '**/api/general/output-asset/privates', 422, body)
    },
    see: async (page) => {
      await expect(page.getByRole('region', { name: 'Publishing is paused' })).toHaveText(pause.en)
      await page.getByRole('list', { name: 'My pictures' }).getByRole('checkbox').first().click()
      const bar = page.getByRole('region', { name: 'Selected pictures' })
      await bar.getByRole('button', { name: 'Publish' }).click()
      const question = page.getByRole('dialog', { name: 'Publish this picture?' })
      await expect(question.getByText(/you cannot make it private again/)).toBeVisible()
      await question.getByRole('button', { name: 'Publish' }).click()
      await expectToast(page, 'The request failed. Please try again in a moment.')
      await expectToast(page, pause.en)
    },
  },
  {
    proves: '1 §3 output asset and its asset: every field',
    path: '/gallery',
    see: async (page, { picture }) => {
      const answer = await page.request.get(`/api/public/output-asset/${picture}`)
      const found = (await answer.json()) as Record<string, unknown> & { asset: object; job: object; user: object }
      const fields =
        '_id id key format rawUrl optimalUrl asset user likes likeCount viewCount isPrivate isNsfw createdAt'
      expect(Object.keys(found)).toEqual(expect.arrayContaining([...fields.split(' '), 'job']))
      const asset = 'key webpKey baseUrl prefix optimal name kind metadata'
      expect(Object.keys(found.asset)).toEqual(expect.arrayContaining(asset.split(' ')))
      expect(Object.keys(found.job)).toContain('duration')
      expect(Object.keys(found.user)).toEqual(expect.arrayContaining(['_id', 'name', 'profile', 'socialProfile']))
      expect(found).not.toHaveProperty('prompt')
    },
  },
  {
    proves: '1 §7 every request names the page that it comes from',
    path: '/',
    see: async (page) => {
      const asked = page.waitForRequest((request) => /\/api\/public\/output-asset\?/.test(request.url()))
      await page.goto('/gallery?sort=like')
      expect((await (await asked).allHeaders()).referer).toBe(new URL('/gallery?sort=like', page.url()).href)
    },
  },
  {
    proves: '1 §7 GET output-asset/{id}; private gallery images of others are not found',
    path: '/gallery/01970000-0000-7000-8000-00000000dead',
    see: (page) => expect(page.getByText('404', { exact: true })).toBeVisible(),
  },
  {
    proves: '1 §7 POST general/output-asset-like/{id}; the count changes by one and comes back when it fails',
    who: 'admin',
    path: ({ picture }) => `/gallery/${picture}`,
    before: (page) => mockSuccess(page, 'PUT|DELETE', LIKE, { isLike: true, likeCount: 41 }),
    see: async (page) => {
      const asked = page.waitForRequest(
        (request) => ['PUT', 'DELETE'].includes(request.method()) && /output-asset-like/.test(request.url()),
      )
      await page
        .getByRole('button', { name: /^Liked?$/ })
        .first()
        .click()
      await asked
      await expect(page.getByRole('complementary').getByText('41', { exact: true })).toBeVisible()
    },
  },
]
