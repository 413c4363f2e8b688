import { expect } from '@playwright/test'
import type { Row } from './row'

/** Revenue, and the money of a person, for admins. */
export const MONEY: Row[] = [
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
