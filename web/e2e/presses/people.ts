import { expect } from '@playwright/test'
import { call, type Fixtures, fresh, items, join, type Person } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const person = (_: string, { target }: Fixtures) => `/admin/user/info?user=${target.id}`

const noticesOf = async (one: Person) => items<{ content: string }>(one, '/api/general/notification-box/list/NOTICE/20')
const creditsOf = async (admin: Person, { id }: Person) =>
  (await call<{ credits: number }>(admin, 'get', `/api/admin/user/${id}`)).credits

/** Warnings, grants and roles that admins give accounts. */
export const PEOPLE: Press[] = [
  {
    hook: 'people/useWarn',
    who: 'admin',
    stage: async () => fresh('Mind the rules'),
    path: person,
    reach: async (page, words) => {
      await mainButton(page, 'Warn').click()
      await page.getByRole('dialog').getByLabel('Warning', { exact: true }).fill(words)
    },
    button: (page) => dialogButton(page, 'Warn'),
    writes: ['POST /api/admin/user/:id/warning'],
    kept: async (_page, words, { target }) =>
      expect((await noticesOf(target)).filter(({ content }) => content.includes(words))).toHaveLength(1),
  },
  {
    hook: 'people/useBan',
    who: 'admin',
    path: person,
    reach: async (page) => {
      await mainButton(page, 'Ban').click()
      await page.getByRole('dialog').getByLabel('Reason', { exact: true }).fill('Twice')
    },
    button: (page) => dialogButton(page, 'Ban'),
    writes: ['POST /api/admin/user/:id/ban'],
    kept: (page) => expect(mainButton(page, 'Lift the ban')).toBeVisible(),
  },
  {
    hook: 'people/useUnban',
    who: 'admin',
    path: person,
    reach: (page) => mainButton(page, 'Lift the ban').click(),
    button: (page) => dialogButton(page, 'Lift the ban'),
    writes: ['DELETE /api/admin/user/:id/ban'],
    kept: (page) => expect(mainButton(page, 'Ban')).toBeVisible(),
  },
  {
    hook: 'people/useGrant',
    who: 'admin',
    stage: async ({ admin, target }) => String(await creditsOf(admin, target)),
    path: person,
    reach: async (page) => {
      await mainButton(page, 'Give credits').click()
      await page.getByRole('dialog').getByLabel('Amount').fill('100')
      await page.getByRole('dialog').getByLabel('Reason').fill(fresh('Pressed'))
    },
    button: (page) => dialogButton(page, 'Give credits'),
    writes: ['POST /api/admin/credit/grant'],
    kept: async (_page, before, { admin, target }) => expect(await creditsOf(admin, target)).toBe(Number(before) + 100),
  },
  {
    hook: 'people/useGivePlan',
    who: 'admin',
    path: person,
    reach: async (page) => {
      await mainButton(page, 'Give a plan').click()
      await page.getByRole('dialog').getByLabel('Plan').selectOption('Pro')
      await page.getByRole('dialog').getByLabel('Valid until').fill('2099-01-01')
    },
    button: (page) => dialogButton(page, 'Give a plan'),
    writes: ['PUT /api/admin/user/:id/plan'],
    kept: async (page) =>
      expect(page.getByRole('region', { name: 'Plan and credits' }).getByText('Pro, until')).toBeVisible(),
  },
  {
    hook: 'people/useConfirmAddress',
    who: 'admin',
    stage: async ({ admin }) => {
      const browser = admin.context.browser()
      if (!browser) throw new Error('the admin has no browser')
      const { context, id } = await join(browser, 'Unproven', false)
      await context.close()
      return id
    },
    path: (id) => `/admin/user/info?user=${id}`,
    reach: (page) => mainButton(page, 'Confirm the address').click(),
    button: (page) => dialogButton(page, 'Confirm the address'),
    writes: ['POST /api/admin/user/:id/confirm'],
    kept: (page) => expect(page.getByText('Confirmed', { exact: true })).toBeVisible(),
  },
  {
    hook: 'people/useSetRole',
    who: 'admin',
    path: person,
    reach: (page) => mainButton(page, 'Make an admin').click(),
    button: (page) => dialogButton(page, 'Make an admin'),
    writes: ['PATCH /api/admin/user/:id/role'],
    kept: async (page, _, { admin, target }) => {
      await expect(mainButton(page, 'Remove the admin role')).toBeVisible()
      await call(admin, 'patch', `/api/admin/user/${target.id}/role`, { isAdmin: false })
    },
  },
]
