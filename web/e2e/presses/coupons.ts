import { expect } from '@playwright/test'
import { call, type Fixtures, fresh, items, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

type Coupon = { _id: string; name: string; isActive: boolean; code: string | null }
const PAGE = '/admin/list/v2-coupons'
const couponsNamed = (admin: Person, name: string) =>
  items<Coupon>(admin, `/api/admin/coupon?search=${encodeURIComponent(name)}`)
const aCoupon = async ({ admin }: Fixtures) => {
  const name = fresh('Press coupon')
  const benefit = { kind: 'Credits', amount: 100, plan: null, days: null }
  await call(admin, 'post', '/api/admin/coupon', { name, benefit, code: `PRESS-${Date.now()}`, codeCount: null })
  return name
}
const couponAt = (name: string) => `${PAGE}?search=${encodeURIComponent(name)}`

/** Coupons of admins. */
export const COUPONS: Press[] = [
  {
    hook: 'billing/useCreateCoupon',
    who: 'admin',
    stage: async () => fresh('Press coupon'),
    path: PAGE,
    reach: async (page, name) => {
      await mainButton(page, 'New coupon').click()
      const form = page.getByRole('dialog', { name: 'New coupon' })
      await form.getByLabel('Name').fill(name)
      await form.getByLabel('Credits', { exact: true }).fill('100')
      // Unique codes: a second request would not be refused because its code is taken.
      await form.getByRole('radio', { name: 'Many unique codes' }).click()
      await form.getByLabel('Number of codes').fill('2')
    },
    button: (page) => dialogButton(page, 'Create coupon'),
    writes: ['POST /api/admin/coupon'],
    kept: async (_page, name, { admin }) => expect(await couponsNamed(admin, name)).toHaveLength(1),
  },
  {
    hook: 'billing/useChangeCoupon',
    who: 'admin',
    stage: aCoupon,
    path: couponAt,
    button: (page, name) => page.getByRole('switch', { name: `${name} is active` }),
    writes: ['PATCH /api/admin/coupon/:id'],
    kept: async (_page, name, { admin }) =>
      expect(await couponsNamed(admin, name)).toMatchObject([{ isActive: false }]),
  },
  {
    hook: 'billing/useChangeCoupon',
    who: 'admin',
    stage: aCoupon,
    path: couponAt,
    reach: async (page, name) => {
      await mainButton(page, `Edit ${name}`).click()
      await page.getByRole('dialog').getByLabel('Name').fill(`${name} edited`)
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/coupon/:id'],
    kept: async (_page, name, { admin }) => expect(await couponsNamed(admin, `${name} edited`)).toHaveLength(1),
  },
]
