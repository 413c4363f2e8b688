import { expect, type Page } from '@playwright/test'
import { columns, type Row } from './row'

const widthOf = async (page: Page, of: string) => Math.round((await page.locator(of).first().boundingBox())?.width ?? 0)
const shown = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem')

/** Measures, columns and the frame of every page. */
export const LAYOUT: Row[] = [
  // The window of one page changes its width. Neighbours differ, so that a row cannot pass before the page has changed.
  ...(
    [
      [1600, 5],
      [1390, 4],
      [1400, 5],
      [1000, 3],
      [700, 2],
    ] as const
  ).map(
    ([width, count]): Row => ({
      proves: `1 §2 workflow cards stand in ${count} columns at ${width} px`,
      width,
      path: '/workflows',
      see: (page) => expect.poll(async () => (await columns(page.locator('article'))).count).toBe(count),
      keepsPage: true,
    }),
  ),
  ...(
    [
      [1440, 5, 6],
      [800, 3, 6],
      [1024, 5, 6],
      [600, 2, 4],
      [640, 3, 6],
    ] as const
  ).map(
    ([width, count, gap]): Row => ({
      proves: `1 §2 the gallery has ${count} columns ${gap} px apart at ${width} px`,
      width,
      path: '/gallery',
      see: (page) => expect.poll(() => columns(shown(page, 'Gallery'))).toEqual({ count, gap }),
      keepsPage: true,
    }),
  ),
  {
    proves: '1 §9 theme: accent #5DFFB1 on #111111, cards #222',
    path: '/',
    see: async (page) => {
      const colours = await page.evaluate(() => {
        const root = getComputedStyle(document.documentElement)
        return [
          root.getPropertyValue('--accent'),
          getComputedStyle(document.body).backgroundColor,
          root.getPropertyValue('--card'),
        ]
      })
      expect(colours.map((one) => one.trim())).toEqual([
        expect.stringMatching(/^#5dffb1$/i),
        'rgb(17, 17, 17)',
        expect.stringMatching(/^#222(222)?$/),
      ])
    },
    keepsPage: true,
  },
  {
    proves: '1 §4 the language of guests is kept in local storage, English at first',
    path: '/',
    see: async (page) => {
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      expect(await page.evaluate(() => localStorage.getItem('vg.language'))).toBe('en')
    },
    keepsPage: true,
  },
  {
    proves: '2 §9 side bar 256 px open, 72 px folded',
    path: '/',
    see: async (page) => {
      expect(await widthOf(page, 'nav[aria-label=Main]')).toBe(256)
      await page.getByRole('button', { name: 'Collapse sidebar' }).click()
      await expect.poll(() => widthOf(page, 'nav[aria-label=Main]')).toBe(72)
      await page.getByRole('button', { name: 'Expand sidebar' }).click()
      await expect.poll(() => widthOf(page, 'nav[aria-label=Main]')).toBe(256)
    },
    keepsPage: true,
  },
  {
    proves: '2 §6 side items marked general open the login modal',
    path: '/',
    see: async (page) => {
      for (const item of ['My pictures', 'My jobs', 'My profile', 'Account']) {
        await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: item }).click()
        await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
    },
    keepsPage: true,
  },
  {
    proves: '1 §6 guests see a preview banner, and its button the login modal',
    path: '/',
    see: async (page) => {
      await expect(page.getByText(/browsing as a guest/)).toBeVisible()
      await page.getByRole('complementary').getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
    },
  },
  {
    proves: '2 §2 on phones a drawer and a top bar of 60 px',
    width: 390,
    path: '/',
    see: async (page) => {
      expect((await page.locator('header').first().boundingBox())?.height).toBe(60)
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expect(page.getByRole('dialog', { name: 'Main' })).toBeVisible()
    },
  },
  {
    proves: '1 §2 the login modal asks for terms and privacy when one signs up',
    path: '/',
    see: async (page) => {
      await page.getByRole('banner').getByRole('button', { name: 'Get started' }).click()
      await expect(page.getByLabel('I agree to the terms of use')).toBeVisible()
      await expect(page.getByLabel('I agree to the privacy policy')).toBeVisible()
    },
  },
  {
    proves: '2 §1 the start button and the guidebook and announcements modals',
    who: 'person',
    path: '/',
    see: async (page) => {
      await expect(page.getByRole('banner').getByRole('link', { name: 'Create', exact: true })).toBeVisible()
      for (const modal of ['Guidebook', 'Announcements']) {
        await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: modal }).click()
        await expect(page.getByRole('dialog', { name: modal })).toBeVisible()
        await page.keyboard.press('Escape')
      }
    },
  },
  {
    proves: '2 §6 admins have a menu of their own below /admin',
    who: 'admin',
    path: '/admin/workflow-files',
    see: async (page) => {
      const menu = page.getByRole('navigation', { name: 'Main' })
      await expect(menu.getByRole('link', { name: 'Back to the site' })).toBeVisible()
      await expect(menu.getByRole('link', { name: 'Community videos' })).toBeVisible()
      await expect(menu.getByRole('link', { name: 'My pictures' })).toHaveCount(0)
    },
    keepsPage: true,
  },
  {
    proves: '1 §2 the card: share, favourite, run on its overlay; menu with copy and download',
    path: '/workflows',
    see: async (page) => {
      const card = page
        .locator('article')
        .filter({ has: page.getByRole('button', { name: 'Run' }) })
        .first()
      await card.hover()
      for (const name of [/^Favorite/, 'Share', 'Run']) {
        await expect(card.getByRole('button', { name }).first()).toBeVisible()
      }
      await card.getByRole('button', { name: /^Actions for/ }).click()
      for (const name of ['Make a copy', 'Download JSON']) {
        await expect(card.getByRole('menuitem', { name })).toBeVisible()
      }
      await expect(card.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
    },
  },
  {
    proves: '1 §2 cards below /admin: private and NSFW switches, the day of the last edit, the force-edit link',
    who: 'admin',
    path: '/admin/workflow-files',
    see: async (page) => {
      const card = page.locator('article').first()
      await expect(card.getByRole('button', { name: /^(Public|Private)$/ })).toBeVisible()
      await expect(card.getByRole('button', { name: /^N?SFW$/ })).toBeVisible()
      await expect(card.getByText(/^Edited at \d{4}\.\d{2}\.\d{2}$/)).toBeVisible()
      await card.hover()
      await expect(card.getByRole('button', { name: 'Edit as admin' })).toBeVisible()
    },
    keepsPage: true,
  },
  {
    proves: '1 §7 GET /general/workflow/admin: filters and sorts',
    who: 'admin',
    path: '/admin/workflow-files',
    see: async (page) => {
      await expect(page.getByRole('radio')).toHaveText(['All', 'Published', 'Unpublished', 'NSFW', 'SFW'])
      const sorts = ['Recently published', 'Newest', 'Oldest', 'Most liked', 'Most viewed']
      await expect(page.getByRole('combobox', { name: 'Order' }).locator('option')).toHaveText(sorts)
    },
  },
  {
    proves: '1 §2 the selection bar: count, upload or private, download, delete, and the tip',
    who: 'person',
    path: '/pictures',
    see: async (page) => {
      const tiles = shown(page, 'My pictures')
      await tiles.nth(0).getByRole('checkbox').click()
      await tiles
        .nth(2)
        .getByRole('link')
        .click({ modifiers: ['Shift'] })
      const bar = page.getByRole('region', { name: 'Selected pictures' })
      await expect(bar.getByText('3 selected')).toBeVisible()
      await expect(bar.getByText(/Ctrl- or ⌘-click/)).toBeVisible()
      for (const name of ['Download', 'Delete']) await expect(bar.getByRole('button', { name })).toBeVisible()
      // Public items stay public on the Free plan, and no action is offered that would fail.
      await expect(bar.getByRole('button', { name: 'Make private' })).toHaveCount(0)
    },
  },
]
