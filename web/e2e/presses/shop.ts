import { expect, type Page } from '@playwright/test'
import { endPack, makeOrder, makePack, makePaidOrder, ordersOf, packsNamed } from '../shop-items'
import { call, type Fixtures } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const ITEMS = '/admin/list/items'
const ORDERS = '/account?tab=orders'
const orderOf = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
/** A fact about the pack or order that a row has prepared. */
const fact = (made: string, name: '_id' | 'name' | 'payment') =>
  (JSON.parse(made) as Record<string, string>)[name] ?? ''
const aPack = async ({ admin }: Fixtures) => JSON.stringify(await makePack(admin))
const anOrder = async ({ admin, member }: Fixtures) => JSON.stringify(await makeOrder(admin, member))
const aPaidOrder = async ({ admin, member }: Fixtures) => JSON.stringify(await makePaidOrder(admin, member))
const statuses = async ({ member }: Fixtures, made: string) =>
  (await ordersOf(member, fact(made, 'name'))).map(({ status }) => status)

/** The shop, for buyers and admins. */
export const SHOP: Press[] = [
  {
    hook: 'billing/useCreateOrder',
    who: 'member',
    stage: aPack,
    path: '/pricing',
    reach: async (page, made) => {
      await mainButton(page, `Buy ${fact(made, 'name')}`).click()
      await page.getByRole('dialog').getByRole('checkbox').check()
    },
    button: (page) => dialogButton(page, 'Continue to payment'),
    writes: ['POST /api/general/order'],
    kept: async (page, made, fixtures) => {
      await expect(page).toHaveURL(/\/test-payment\//)
      expect(await statuses(fixtures, made)).toEqual(['Ready'])
      await endPack(fixtures.admin, fact(made, '_id'))
    },
  },
  {
    hook: 'billing/useAnswerTestPayment',
    who: 'member',
    stage: anOrder,
    path: (made) => fact(made, 'payment'),
    button: (page) => mainButton(page, 'Approve'),
    // The buyer goes back to the order, which asks what became of the payment.
    writes: ['POST /api/public/test-payment/:id', 'POST /api/general/order/:id/complete'],
    kept: async (page, made, fixtures) => {
      await expect(page.getByText('1,234 credits were added')).toBeVisible()
      expect(await statuses(fixtures, made)).toEqual(['Paid'])
    },
  },
  {
    hook: 'billing/useCompleteOrder',
    who: 'member',
    stage: anOrder,
    before: (page) =>
      page.route(
        '**/api/general/order/*/complete',
        (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up', requestId: 'r' } }),
        { times: 1 },
      ),
    path: (made) => `${ORDERS}&order=${fact(made, '_id')}`,
    button: (page) => mainButton(page, 'Ask again'),
    writes: ['POST /api/general/order/:id/complete'],
    kept: (page) => expect(mainButton(page, 'Ask again')).toHaveCount(0),
  },
  {
    hook: 'billing/useCancelOrder',
    who: 'member',
    stage: anOrder,
    path: ORDERS,
    button: (page, made) => orderOf(page, fact(made, 'name')).getByRole('button', { name: 'Cancel order' }),
    writes: ['POST /api/general/order/:id/cancel'],
    kept: async (_page, made, fixtures) => expect(await statuses(fixtures, made)).toEqual(['Canceled']),
  },
  {
    hook: 'billing/useReturnOrder',
    who: 'member',
    stage: aPaidOrder,
    path: ORDERS,
    reach: (page, made) => orderOf(page, fact(made, 'name')).getByRole('button', { name: 'Refund' }).click(),
    button: (page) => dialogButton(page, 'Refund order'),
    writes: ['POST /api/general/order/:id/refund'],
    kept: async (_page, made, { member }) =>
      expect(await ordersOf(member, fact(made, 'name'))).toMatchObject([{ refundedAmount: 699 }]),
  },
  {
    hook: 'billing/useRefundOrder',
    who: 'admin',
    stage: aPaidOrder,
    path: (made) => `/admin/list/order-history?search=${fact(made, '_id')}`,
    reach: async (page) => {
      await mainButton(page, /^Details and refunds of /).click()
      const form = page.getByRole('dialog')
      // A part: a second request would not be refused because nothing is left.
      await form.getByLabel('Amount in USD').fill('1')
      await form.getByLabel('Reason').fill('Twice')
    },
    button: (page) => dialogButton(page, 'Refund'),
    writes: ['POST /api/admin/order/:id/refund'],
    kept: async (_page, made, { admin }) => {
      const { refunds } = await call<{ refunds: unknown[] }>(admin, 'get', `/api/admin/order/${fact(made, '_id')}`)
      expect(refunds).toMatchObject([{ amount: 100, reason: 'Twice' }])
    },
  },
  {
    hook: 'billing/useTakeBackCredits',
    who: 'admin',
    stage: async ({ admin, target }) => {
      const reason = `Press back ${Date.now()}`
      await call(admin, 'post', '/api/admin/credit/grant', { user: target.id, amount: 100, reason })
      return reason
    },
    path: (_, { target }) => `/admin/user/info?user=${target.id}`,
    reach: async (page, reason) => {
      await page
        .getByRole('listitem')
        .filter({ hasText: reason })
        .getByRole('button', { name: /^Take back/ })
        .click()
      const form = page.getByRole('dialog')
      // A part: a second request would not be refused because nothing is left.
      await form.getByLabel('Credits to take back').fill('10')
      await form.getByLabel('Reason').fill('Twice')
    },
    button: (page) => dialogButton(page, 'Take back'),
    writes: ['POST /api/admin/credit/debit'],
    kept: async (_page, reason, { admin, target }) => {
      type Money = { grants: { source: string; remaining: number }[] }
      const { grants } = await call<Money>(admin, 'get', `/api/admin/user/${target.id}/money`)
      expect(grants.find(({ source }) => source.endsWith(reason))).toMatchObject({ remaining: 90 })
    },
  },
  {
    hook: 'billing/useCreateItem',
    who: 'admin',
    stage: async () => JSON.stringify({ name: `Press pack ${Date.now()}` }),
    path: ITEMS,
    reach: async (page, made) => {
      await mainButton(page, 'New item').click()
      const form = page.getByRole('dialog', { name: 'New item' })
      await form.getByLabel('Name').fill(fact(made, 'name'))
      await form.getByLabel('Credits').fill('1,234')
      await form.getByLabel('Price in USD').fill('6.99')
    },
    button: (page) => dialogButton(page, 'Create item'),
    writes: ['POST /api/admin/item'],
    kept: async (_page, made, { admin }) => {
      const packs = await packsNamed(admin, fact(made, 'name'))
      for (const { _id } of packs) await endPack(admin, _id)
      expect(packs).toHaveLength(1)
    },
  },
  {
    hook: 'billing/useChangeItem',
    who: 'admin',
    stage: aPack,
    path: ITEMS,
    button: (page, made) => page.getByRole('switch', { name: `${fact(made, 'name')} is active` }),
    writes: ['PATCH /api/admin/item/:id'],
    kept: async (_page, made, { admin }) =>
      expect(await packsNamed(admin, fact(made, 'name'))).toMatchObject([{ isActive: false }]),
  },
  {
    hook: 'billing/useChangeItem',
    who: 'admin',
    stage: aPack,
    path: ITEMS,
    reach: async (page, made) => {
      await mainButton(page, `Edit ${fact(made, 'name')}`).click()
      await page
        .getByRole('dialog')
        .getByLabel('Name')
        .fill(`${fact(made, 'name')} edited`)
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: ['PATCH /api/admin/item/:id'],
    kept: async (_page, made, { admin }) => {
      const packs = await packsNamed(admin, `${fact(made, 'name')} edited`)
      for (const { _id } of packs) await endPack(admin, _id)
      expect(packs).toHaveLength(1)
    },
  },
]
