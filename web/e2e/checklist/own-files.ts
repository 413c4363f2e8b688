import { expect, type Page } from '@playwright/test'
import { openResult } from '../people'
import { mockRefusal, mockSuccess, type Row } from './row'

const LIST = /\/api\/general\/input-asset\/my\?/
const THUMBNAIL = '**/api/general/output-asset/*/thumbnail'
const AT = '2026-01-01T00:00:00Z'
const fileOf = (number: number, change: object = {}) => ({
  _id: `01970000-0000-7000-8000-0000000c${String(number).padStart(4, '0')}`,
  user: '01970000-0000-7000-8000-0000000000c0',
  isPrivate: true,
  createdAt: AT,
  asset: {
    _id: `01970000-0000-7000-8000-0000000d${String(number).padStart(4, '0')}`,
    name: `file-${number}.png`,
    kind: 'Image',
    key: '',
    url: '/favicon.svg',
    thumbnailUrl: '/favicon.svg',
    metadata: { width: 8, height: 8, duration: null, videoPreviewImageUrl: null },
    sizeBytes: 1000,
    createdAt: AT,
    ...change,
  },
})
const pageOf = (items: object[], page = 1, totalPages = 1) => ({
  items,
  pagination: { page, limit: 20, total: items.length, totalPages },
})
/** Opens a picker by its button. */
const open = async (page: Page, name = 'My Images', title = name) => {
  await page.getByRole('main').getByRole('button', { name, exact: true }).first().click()
  return page.getByRole('dialog', { name: title })
}

/** My Images: the user's uploads. The user's own outputs as pictures of a workflow. Results beside inputs. */
export const OWN_FILES: Row[] = [
  {
    proves: '1 §9 input-asset picker 20 per page; 1 §7 GET general/input-asset/my?page&limit=20 with totalPages',
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    before: (page) =>
      page.route(LIST, (route) => {
        const number = Number(new URL(route.request().url()).searchParams.get('page'))
        const items = Array.from({ length: number === 1 ? 20 : 1 }, (_, at) => fileOf(number * 100 + at))
        return route.fulfill({ json: pageOf(items, number, 2) })
      }),
    see: async (page) => {
      const asked = page.waitForRequest((request) => /input-asset\/my\?(?=.*page=1)(?=.*limit=20)/.test(request.url()))
      const picker = await open(page)
      await asked
      await expect(picker.getByRole('button', { name: /^Use / })).toHaveCount(20)
      await expect(picker.getByText('Page 1 of 2')).toBeVisible()
      await picker.getByRole('button', { name: 'Next page' }).click()
      await expect(picker.getByRole('button', { name: /^Use / })).toHaveCount(1)
      await expect(picker.getByRole('button', { name: 'Next page' })).toBeDisabled()
    },
  },
  {
    proves: 'My Images: the server filters by the kind of the field',
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    see: async (page) => {
      const asked = page.waitForRequest((request) => /input-asset\/my\?.*kind=Image/.test(request.url()))
      await open(page)
      await asked
    },
  },
  {
    proves: 'My Images: an empty list says how files get there, and a failed one can be tried again',
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    before: async (page) => {
      let fails = true
      await page.route(LIST, (route) => {
        const answer = fails
          ? { status: 403, json: { code: 'FORBIDDEN', message: 'made up', requestId: 'r' } }
          : { json: pageOf([]) }
        fails = false
        return route.fulfill(answer)
      })
    },
    see: async (page) => {
      const picker = await open(page)
      await picker.getByRole('button', { name: 'Try Again' }).click()
      await expect(picker.getByText(/^You have no pictures yet\./)).toBeVisible()
      await expect(picker.getByRole('button', { name: 'Upload', exact: true })).toBeVisible()
    },
  },
  {
    proves: '1 §5 My Images refuses a file that is no image',
    who: 'person',
    path: ({ app }) => `/easy-app/${app}`,
    see: async (page) => {
      const picker = await open(page)
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
      await picker.getByTestId('picker-file').setInputFiles(file)
      await expect(picker.getByRole('alert')).toHaveText('This file is not a picture.')
    },
  },
  {
    proves: 'My Images on a phone: upload, choose and delete are in reach without hovering',
    who: 'person',
    width: 390,
    path: ({ app }) => `/easy-app/${app}`,
    before: (page) => mockSuccess(page, 'GET', LIST, pageOf([fileOf(1)])),
    see: async (page) => {
      const picker = await open(page)
      for (const name of ['Upload', 'Use file-1.png', 'Delete file-1.png'])
        await expect(picker.getByRole('button', { name, exact: true })).toBeInViewport()
    },
  },
  {
    proves: 'My Images in Korean: its title, its upload and its hint',
    who: 'person',
    language: 'ko',
    path: ({ app }) => `/easy-app/${app}`,
    see: async (page) => {
      const picker = await open(page, '내 이미지')
      await expect(picker.getByRole('button', { name: '업로드', exact: true })).toBeVisible()
      await expect(picker.getByText(/^여기에 끌어다 놓거나 붙여넣어도 됩니다\./)).toBeVisible()
    },
  },
  {
    proves: 'A26 the picker of own outputs: they become pictures of a workflow, and the picker says so',
    who: 'person',
    path: ({ own }) => own && `/workflows/edit/${own}`,
    before: (page) => mockSuccess(page, 'POST', THUMBNAIL, fileOf(7).asset),
    see: async (page) => {
      const pictures = page.getByRole('list', { name: 'Pictures' }).getByRole('button', { name: /^Move picture/ })
      await expect(pictures.first()).toBeVisible()
      const before = await pictures.count()
      const picker = await open(page, 'Add from my pictures', 'My pictures')
      const first = picker.getByRole('button', { name: /^Add the picture of / }).first()
      await first.click()
      await expect(picker.getByText('1 picture added')).toBeVisible()
      await expect(first).toHaveAttribute('aria-pressed', 'true')
      await picker.getByRole('button', { name: 'Done' }).click()
      await expect(pictures).toHaveCount(before + 1)
    },
  },
  {
    proves: "A26 the picker of own outputs shows the server's refusal",
    who: 'person',
    path: ({ own }) => own && `/workflows/edit/${own}`,
    before: (page) => mockRefusal(page, 'POST', THUMBNAIL, 403, 'FORBIDDEN'),
    see: async (page) => {
      const picker = await open(page, 'Add from my pictures', 'My pictures')
      await picker
        .getByRole('button', { name: /^Add the picture of / })
        .first()
        .click()
      await expect(picker.getByRole('alert')).toContainText('The picture could not be added: ')
    },
  },
  {
    proves: 'A26 the picker of own outputs asks for them page by page, and has an empty state with a next step',
    who: 'person',
    width: 390,
    path: ({ own }) => own && `/workflows/edit/${own}`,
    before: (page) => mockSuccess(page, 'GET', '**/api/general/output-asset/my?*', { items: [], nextCursor: null }),
    see: async (page) => {
      const asked = page.waitForRequest((request) => /output-asset\/my\?.*limit=60/.test(request.url()))
      const picker = await open(page, 'Add from my pictures', 'My pictures')
      await asked
      await expect(picker.getByText('You have not made a picture yet')).toBeVisible()
      await expect(picker.getByRole('link', { name: 'Make a picture' })).toHaveAttribute('href', '/apps')
    },
  },
  {
    proves: 'A result is compared with its input by a slider with labels, keyboard and pointer',
    who: 'person',
    width: 390,
    path: ({ app }) => `/easy-app/${app}`,
    before: (page) =>
      page.route(/\/output-asset\/[0-9a-f-]+\/origin/, async (route) => {
        const origin = (await (await route.fetch()).json()) as object
        await route.fulfill({ json: { ...origin, uploads: [fileOf(1).asset, fileOf(2).asset] } })
      }),
    see: async (page) => {
      await openResult(page, 64)
      await page.getByRole('button', { name: 'Compare with the input' }).click()
      const layer = page.getByRole('dialog', { name: 'Output picture 1' })
      await expect(layer.getByAltText('Input', { exact: true })).toBeVisible()
      await expect(layer.getByAltText('Result', { exact: true })).toBeVisible()
      await layer.getByRole('combobox', { name: 'Input picture' }).selectOption('file-2.png')
      const border = layer.getByRole('slider', { name: 'Border between input and result' })
      await border.press('End')
      await expect(border).toHaveAttribute('aria-valuetext', '100% shows the input')
    },
  },
]
