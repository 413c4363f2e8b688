import { expect } from '@playwright/test'
import { endPack, makePack, ordersOf } from '../shop-items'
import { call, type Fixtures } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const LIST = '/admin/list/promotions'

type Promotion = { _id: string; name: string; isActive: boolean }

const promotionsNamed = async ({ admin }: Pick<Fixtures, 'admin'>, name: string): Promise<Promotion[]> =>
  (await call<{ items: Promotion[] }>(admin, 'get', '/api/admin/promotion?limit=100')).items.filter(
    (promotion) => promotion.name === name,
  )

/** Switches promotions off, so that they are in no other test's way. */
async function endPromotions({ admin }: Pick<Fixtures, 'admin'>, promotions: Promotion[]) {
  for (const { _id } of promotions) await call(admin, 'patch', `/api/admin/promotion/${_id}`, { isActive: false })
}

/** The name of a new bonus of one percent. */
async function aPromotion({ admin }: Fixtures): Promise<string> {
  const name = `Press promotion ${Date.now()}`
  await call(admin, 'post', '/api/admin/promotion', { name, kind: 'FirstPurchase', percent: 1 })
  return name
}

/** A pack, and a code that halves its price. */
async function aPackAndCode({ admin }: Fixtures): Promise<string> {
  const pack = await makePack(admin)
  const code = `PRESS-${Date.now()}`
  await call(admin, 'post', '/api/admin/coupon', { name: code, benefit: { kind: 'PercentOff', percent: 50 }, code })
  return JSON.stringify({ ...pack, code })
}

const fact = (made: string, name: '_id' | 'name' | 'code') => (JSON.parse(made) as Record<string, string>)[name] ?? ''

/** Promotions, and codes that lower a price. */
export const PROMOTIONS: Press[] = [
  {
    hook: 'billing/useCreatePromotion',
    who: 'admin',
    stage: async () => `Press promotion ${Date.now()}`,
    path: LIST,
    reach: async (page, name) => {
      await mainButton(page, 'New promotion').click()
      const form = page.getByRole('dialog', { name: 'New promotion' })
      await form.getByRole('radio', { name: 'First purchase bonus' }).click()
      await form.getByLabel('Name').fill(name)
      await form.getByLabel('Bonus in percent').fill('1')
    },
    button: (page) => dialogButton(page, 'Create promotion'),
    writes: ['POST /api/admin/promotion'],
    kept: async (_page, name, fixtures) => {
      const made = await promotionsNamed(fixtures, name)
      await endPromotions(fixtures, made)
      expect(made).toHaveLength(1)
    },
  },
  {
    hook: 'billing/useChangePromotion',
    who: 'admin',
    stage: aPromotion,
    path: LIST,
    button: (page, name) => page.getByRole('switch', { name: `${name} is active` }),
    writes: ['PATCH /api/admin/promotion/:id'],
    kept: async (_page, name, fixtures) =>
      expect(await promotionsNamed(fixtures, name)).toMatchObject([{ isActive: false }]),
  },
  {
    hook: 'billing/useChangePromotion',
    who: 'admin',
    stage: aPromotion,
    path: LIST,
    reach: async (page, name) => {
      await mainButton(page, `Edit ${name}`).click()
      await page.getByRole('dialog').getByLabel('Name').fill(`${name} edited`)
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/promotion/:id'],
    kept: async (_page, name, fixtures) => {
      const made = await promotionsNamed(fixtures, `${name} edited`)
      await endPromotions(fixtures, made)
      expect(made).toHaveLength(1)
    },
  },
  {
    hook: 'billing/useQuotePurchase',
    who: 'member',
    stage: aPackAndCode,
    path: '/pricing',
    reach: async (page, made) => {
      await mainButton(page, `Buy ${fact(made, 'name')}`).click()
      await page.getByRole('dialog').getByLabel('Coupon code for a lower price').fill(fact(made, 'code'))
    },
    button: (page) => dialogButton(page, 'Apply'),
    writes: ['POST /api/general/order/quote'],
    kept: async (page, made, { admin, member }) => {
      await expect(page.getByRole('dialog').getByText(/^50% off/)).toBeVisible()
      expect(await ordersOf(member, fact(made, 'name'))).toEqual([])
      await endPack(admin, fact(made, '_id'))
    },
  },
]
