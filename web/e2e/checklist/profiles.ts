import { expect, type Page } from '@playwright/test'
import { PIXEL } from '../people'
import { columns, mockSuccess, type Row } from './row'

const tiles = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Shows own pictures as the unpublished ones of the profile, the first with overrides. */
const unpublished = async (page: Page, first: object) => {
  await page.route('**/api/general/output-asset/unpublished/*', async (route) => {
    const mine = await page.request.get('/api/general/output-asset/my?limit=12')
    const { items } = (await mine.json()) as { items: object[] }
    const all = items.map((one, at) => ({ ...one, isPrivate: true, ...(at === 0 && first) }))
    await route.fulfill({ json: { items: all, nextCursor: null } })
  })
}
/** Profiles: the second document. */
export const PROFILES: Row[] = [
  ...(
    [
      [1440, 5, 6],
      [600, 2, 4],
      [700, 5, 6],
      [390, 2, 4],
    ] as const
  ).map(
    ([width, count, gap]): Row => ({
      proves: `2 §9 the image grid of a profile has ${count} columns of at most 180 px at ${width} px`,
      width,
      path: ({ author }) => `/profile/${author}/gallery`,
      see: async (page) => {
        const cells = tiles(page, 'Gallery')
        await expect.poll(() => columns(cells)).toEqual({ count, gap })
        const box = await cells.first().boundingBox()
        expect(Math.ceil(Math.max(box?.width ?? 999, box?.height ?? 999))).toBeLessThanOrEqual(181)
      },
      keepsPage: true,
    }),
  ),
  {
    proves: '2 §4 public items among the unpublished are disabled, with the reason',
    who: 'person',
    path: ({ me }) => `/profile/${me}/image-files`,
    before: (page) => unpublished(page, { isPrivate: false }),
    see: async (page) => {
      const covered = tiles(page, 'Unpublished pictures').filter({ hasText: 'Already public' })
      await expect(covered).toHaveCount(1)
      await expect(covered.locator('a, input')).toHaveCount(0)
    },
  },
  {
    proves: '2 §4 shift-click selects a range on a profile',
    who: 'person',
    path: ({ me }) => `/profile/${me}/image-files`,
    before: (page) => unpublished(page, {}),
    see: async (page) => {
      const cells = tiles(page, 'Unpublished pictures')
      await cells.nth(0).getByRole('checkbox').click()
      await cells
        .nth(3)
        .getByRole('link')
        .click({ modifiers: ['Shift'] })
      await expect(page.getByText('4 selected')).toBeVisible()
    },
  },
  {
    proves: '2 §2 only the owner edits avatar and name in place',
    who: 'person',
    path: ({ me }) => `/profile/${me}`,
    see: async (page, { author }) => {
      const main = page.getByRole('main')
      const edit = main.getByRole('button', { name: 'Edit profile' })
      await edit.click()
      await expect(main.getByRole('button', { name: /^(Choose a|Change) picture$/ })).toBeVisible()
      await expect(main.getByLabel('Name')).toBeVisible()
      await edit.click()
      await expect(main.getByLabel('Name')).toHaveCount(0)
      await page.goto(`/profile/${author}`)
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(edit).toHaveCount(0)
    },
  },
  {
    proves: '2 §2 editing contact points switches on and off',
    who: 'person',
    path: ({ me }) => `/profile/${me}`,
    see: async (page) => {
      const form = page.getByRole('form', { name: 'Contact points' })
      for (const shown of [1, 0]) {
        await press(page, 'Contact points')
        await expect(form).toHaveCount(shown)
      }
    },
  },
  {
    proves: '2 §9 contact points: homepage, the link to Instagram from the handle, e-mail as mailto, in their order',
    path: ({ author }) => `/profile/${author}`,
    before: (page) =>
      page.route('**/api/public/user/*', async (route) => {
        const person = (await (await route.fetch()).json()) as object
        const contactPoints = {
          homepage: { value: 'https://silk.example/', order: 2 },
          instagram: { value: 'silk.works', order: 0 },
          email: { value: 'hi@silk.example', order: 1 },
        }
        await route.fulfill({ json: { ...person, contactPoints } })
      }),
    see: async (page) => {
      const links = page.getByRole('list', { name: 'Contact' }).getByRole('link')
      await expect(links).toHaveCount(3)
      expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')))).toEqual([
        'https://www.instagram.com/silk.works/',
        'mailto:hi@silk.example',
        'https://silk.example/',
      ])
    },
  },
  {
    proves: '2 §9 lists of a profile load 100 items per page, favourites 20',
    who: 'person',
    path: '/jobs',
    see: async (page, { me }) => {
      for (const [tab, asked] of [
        ['workflows', /workflow\/published\/[^?]+\?.*limit=100/],
        ['gallery', /output-asset\/published\/[^?]+\?.*limit=100/],
        ['workflow-files', /workflow\/unpublished\/[^?]+\?.*limit=100/],
        ['image-files', /output-asset\/unpublished\/[^?]+\?.*limit=100/],
        ['favorite', /output-asset\/like\?.*limit=20/],
      ] as const) {
        const request = page.waitForRequest(asked)
        await page.goto(`/profile/${me}/${tab}`)
        await request
      }
      const request = page.waitForRequest(/workflow\/like\?.*limit=20/)
      await page.getByRole('main').getByText('Workflows', { exact: true }).last().click()
      await request
    },
  },
  {
    proves: '2 §8 empty states: no bookmarked images, no bookmarked workflows, an empty gallery',
    who: 'person',
    path: ({ me }) => `/profile/${me}/favorite`,
    before: (page) =>
      mockSuccess(page, 'GET', /\/(output-asset|workflow)\/(like|published\/[^/]+)\?/, { items: [], nextCursor: null }),
    see: async (page, { me }) => {
      await expect(page.getByText('No bookmarked images')).toBeVisible()
      await page.getByRole('main').getByText('Workflows', { exact: true }).last().click()
      await expect(page.getByText('No bookmarked workflows')).toBeVisible()
      await page.goto(`/profile/${me}/gallery`)
      await expect(page.getByText('The gallery is empty')).toBeVisible()
    },
  },
  {
    proves: '2 §5 the avatar: a square crop with a zoom of up to 1.2, of images alone',
    who: 'person',
    path: '/account',
    see: async (page) => {
      const input = page.locator('input[type=file]').first()
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
      await expect(page.getByText('This file could not be read as a picture')).toBeVisible()
      await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: PIXEL })
      const zoom = page.getByRole('dialog').getByRole('slider', { name: 'Zoom' })
      await expect(zoom).toHaveAttribute('max', '1.2')
      const box = await page.getByRole('dialog').locator('[class*=crop]').first().boundingBox()
      expect(Math.abs((box?.width ?? 0) - (box?.height ?? 99))).toBeLessThan(2)
    },
  },
]
