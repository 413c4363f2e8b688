import { expect } from '@playwright/test'
import type { Row } from './row'

/** Promotions, revenue, and the money of a person, for admins. */
export const MONEY: Row[] = [
  {
    proves: '2 §2 admin menu: list/promotions: banners and the bonus of a first purchase',
    who: 'admin',
    path: '/admin/workflow-files',
    see: async (page) => {
      await page.getByRole('navigation', { name: 'Main' }).locator('a[href="/admin/list/promotions"]').click()
      await expect(page.getByRole('heading', { level: 1, name: 'Promotions' })).toBeVisible()
      await page.getByRole('button', { name: 'New promotion' }).click()
      const form = page.getByRole('dialog', { name: 'New promotion' })
      await form.getByLabel('Link', { exact: true }).fill('https://example.com')
      await form.getByRole('button', { name: 'Create promotion' }).click()
      await expect(form.getByText('Enter a path that begins with one /, without spaces.')).toBeVisible()
      await expect(form.getByLabel('Name', { exact: true })).toBeFocused()
      await form.getByRole('radio', { name: 'First purchase bonus' }).click()
      await expect(form.getByLabel('Bonus in percent')).toBeVisible()
    },
  },
  {
    proves: '2 §2 /admin/list/v2-coupons: a coupon may lower the price of a pack',
    who: 'admin',
    path: '/admin/list/v2-coupons',
    see: async (page) => {
      await page.getByRole('button', { name: 'New coupon' }).click()
      const form = page.getByRole('dialog', { name: 'New coupon' })
      await form.getByRole('radio', { name: 'A lower price' }).click()
      await form.getByLabel('Percent off').fill('91')
      await form.getByRole('button', { name: 'Create coupon' }).click()
      await expect(form.getByText('Enter a whole number from 1 to 90.')).toBeVisible()
    },
  },
  {
    proves: '2 §2 admin orders: what was paid and paid back over time, with a file',
    who: 'admin',
    path: '/admin/stats/revenue?from=2020-01-01&until=2020-01-31',
    see: async (page) => {
      await expect(page.getByRole('heading', { level: 1, name: 'Revenue' })).toBeVisible()
      await expect(page.getByText('No payments in this time')).toBeVisible()
      await page.getByLabel('Group by').selectOption('week')
      await expect(page).toHaveURL(/groupBy=week/)
      await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', /groupBy=week/)
    },
  },
  {
    proves: '2 §2 /admin/user/info: the plan, the credits and the orders of a person',
    who: 'admin',
    path: ({ author }) => `/admin/user/info?user=${author}`,
    see: async (page) => {
      const money = page.getByRole('region', { name: 'Plan and credits' })
      await expect(money.getByText('Available credits')).toBeVisible()
      await expect(money.getByRole('link', { name: 'All orders of this person' })).toHaveAttribute(
        'href',
        /order-history\?search=/,
      )
    },
  },
]
