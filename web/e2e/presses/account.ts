import { expect } from '@playwright/test'
import { isReplaced, markDocument, PASSWORD } from '../people'
import { call, noiseBitmap, type Person, signIn } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const list = async <Item>(person: Person, path: string) => (await call<{ items: Item[] }>(person, 'get', path)).items
type Key = { name: string; revokedAt: string | null }
const keys = (person: Person) => list<Key>(person, '/api/general/api-key')
const ANOTHER = 'another long enough password'

/** The user's own account. */
export const ACCOUNT: Press[] = [
  {
    hook: 'account/useCreateKey',
    who: 'member',
    path: '/account?tab=keys',
    reach: (page) => page.getByLabel('Name of the key').fill('twice'),
    button: (page) => mainButton(page, 'Create key'),
    writes: ['POST /api/general/api-key'],
    kept: async (page, _, { member }) => {
      // The key is shown only once: the second click must not close the dialog.
      await expect(page.getByRole('dialog', { name: 'Your new key' })).toBeVisible()
      expect((await keys(member)).filter(({ name }) => name === 'twice')).toHaveLength(1)
    },
  },
  {
    hook: 'account/useRevokeKey',
    who: 'member',
    stage: async ({ member }) => {
      for (const name of ['alpha', 'omega']) await call(member, 'post', '/api/general/api-key', { name })
      return ''
    },
    path: '/account?tab=keys',
    reach: (page) =>
      page.getByRole('listitem').filter({ hasText: 'omega' }).getByRole('button', { name: 'Revoke' }).click(),
    button: (page) => dialogButton(page, 'Revoke'),
    writes: ['DELETE /api/general/api-key/:id'],
    kept: async (_page, _, { member }) =>
      expect((await keys(member)).filter(({ revokedAt }) => revokedAt)).toMatchObject([{ name: 'omega' }]),
  },
  {
    hook: 'account/useSetCeilings',
    who: 'member',
    path: '/account?tab=credits',
    reach: (page) => page.getByLabel('Most credits for one run').fill('5,000'),
    button: (page) => mainButton(page, 'Save'),
    writes: ['PUT /api/general/credit/ceilings'],
    kept: async (page, _, { member }) => {
      await page.reload()
      await expect(page.getByLabel('Most credits for one run')).toHaveValue('5000')
      await call(member, 'put', '/api/general/credit/ceilings', {})
    },
  },
  {
    hook: 'billing/useRedeemCoupon',
    who: 'member',
    stage: async ({ admin }) => {
      const code = `PRESS-${Date.now()}`
      const benefit = { kind: 'Credits', amount: 100, plan: null, days: null }
      // Twice: a second request would be honoured.
      const body = { name: `Press ${code}`, benefit, code, codeCount: null, usesPerAccount: 2 }
      await call(admin, 'post', '/api/admin/coupon', body)
      return code
    },
    path: (code) => `/account?tab=coupon&code=${code}`,
    button: (page) => mainButton(page, 'Redeem'),
    writes: ['POST /api/general/coupon'],
    kept: async (page, code, { member }) => {
      const used = await list<{ code: string }>(member, '/api/general/coupon')
      expect(used.filter((one) => one.code === code)).toHaveLength(1)
      await expect(page.getByRole('region', { name: 'Used coupons' }).getByText(code, { exact: true })).toBeVisible()
    },
  },
  {
    hook: 'account/useExport',
    who: 'member',
    path: '/account',
    button: (page) => mainButton(page, 'Download my data'),
    writes: ['GET /api/auth/me/export'],
  },
  {
    hook: 'auth/useRename',
    who: 'member',
    path: '/account',
    reach: (page) => page.getByLabel('Name', { exact: true }).fill('Mirabel'),
    button: (page) => page.locator('form').getByRole('button', { name: 'Save' }).first(),
    writes: ['PATCH /api/auth/me/name'],
    kept: async (page) => {
      await page.reload()
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mirabel')
    },
  },
  {
    hook: 'auth/useSetPortrait',
    who: 'member',
    path: '/account',
    reach: async (page) => {
      const file = { name: 'me.bmp', mimeType: 'image/bmp', buffer: noiseBitmap(256) }
      await page.getByLabel('Profile picture').setInputFiles(file)
    },
    button: (page) => dialogButton(page, 'Use this picture'),
    writes: ['POST /api/general/asset/file/image', 'PATCH /api/auth/me/profile'],
    kept: (page) => expect(mainButton(page, 'Change picture')).toBeVisible(),
  },
  {
    hook: 'auth/useSetPortrait',
    who: 'member',
    path: '/account',
    button: (page) => mainButton(page, 'Remove'),
    writes: ['PATCH /api/auth/me/profile'],
    kept: (page) => expect(mainButton(page, 'Choose a picture')).toBeVisible(),
  },
  {
    hook: 'profile/useSaveContactPoints',
    who: 'member',
    path: (_, { member }) => `/profile/${member.id}`,
    reach: async (page) => {
      await page.getByRole('button', { name: 'Contact points' }).click()
      await page.getByRole('textbox', { name: 'Instagram' }).fill('mira.makes')
    },
    button: (page) => page.getByRole('form', { name: 'Contact points' }).getByRole('button', { name: 'Save' }),
    writes: ['POST /api/general/contact-point'],
    kept: async (page) => {
      await page.reload()
      await expect(page.getByRole('link', { name: '@mira.makes' })).toBeVisible()
    },
  },
  {
    hook: 'notifications/useSetAlerts',
    who: 'member',
    stage: async ({ member }) => {
      await call(member, 'patch', '/api/general/notification-settings', { mailedTypes: [] })
      return ''
    },
    path: '/account#notifications',
    button: (page) => page.getByRole('switch', { name: 'Likes' }),
    writes: ['PATCH /api/general/notification-settings'],
    kept: async (page) => {
      await page.reload()
      await expect(page.getByRole('switch', { name: 'Likes' })).toBeChecked()
    },
  },
  {
    hook: 'auth/useResendVerification',
    who: 'spare',
    path: '/account',
    button: (page) => mainButton(page, 'Send the e-mail again'),
    writes: ['POST /api/auth/verify-email/resend'],
  },
  {
    hook: 'auth/useStartLinking',
    who: 'spare',
    before: async (page) => {
      await page.route('**/api/public/sign-in-options', (route) =>
        route.fulfill({ json: { google: true, discord: true } }),
      )
      await page.route('**/api/auth/me/identity/google/start', (route) => route.fulfill({ json: { url: '/terms' } }))
    },
    path: '/account',
    button: (page) => mainButton(page, 'Connect Google'),
    writes: ['POST /api/auth/me/identity/google/start'],
    kept: (page) => expect(page).toHaveURL(/\/terms$/),
  },
  {
    hook: 'auth/useUnlink',
    who: 'spare',
    before: async (page, _, { spare }) => {
      const user = await call<object>(spare, 'get', '/api/auth')
      const linked = { ...user, signInWith: ['Google', 'Discord'] }
      await page.route('**/api/auth?*', (route) => route.fulfill({ json: linked }))
      await page.route('**/api/auth/me/identity/*', (route) =>
        route.fulfill({ json: { ...user, signInWith: ['Google'] } }),
      )
    },
    path: '/account',
    reach: (page) => mainButton(page, 'Disconnect Discord').click(),
    button: (page) => dialogButton(page, 'Disconnect'),
    writes: ['DELETE /api/auth/me/identity/discord'],
  },
  {
    hook: 'auth/useFinishLinking',
    who: 'spare',
    before: async (page, _, { spare }) => {
      const user = await call<object>(spare, 'get', '/api/auth')
      await page.addInitScript(() => sessionStorage.setItem('vg.linking', 'google'))
      await page.route('**/api/auth/me/identity/google', (route) => route.fulfill({ json: user }))
    },
    path: '/terms',
    button: (page) => page.getByRole('heading', { level: 1 }).first(),
    // No click: returning from Google writes when its page opens.
    press: (page) => page.goto('/login/google?code=c&state=s'),
    writes: ['POST /api/auth/me/identity/google'],
    kept: (page) => expect(page).toHaveURL(/\/account$/),
  },
  {
    hook: 'auth/useSetPassword',
    who: 'spare',
    path: '/account',
    reach: async (page) => {
      await page.getByLabel('Current password').fill(PASSWORD)
      await page.getByLabel('New password').fill(ANOTHER)
    },
    button: (page) => mainButton(page, 'Change password'),
    writes: ['PATCH /api/auth/me/password'],
    kept: async (_page, _, { spare }) => {
      await signIn(spare.context, spare.email, ANOTHER)
    },
  },
  {
    hook: 'auth/useSaveLanguage',
    who: 'spare',
    path: '/jobs',
    reach: async (page) => {
      await markDocument(page)
      await page.getByRole('button', { name: 'Language' }).click()
    },
    button: (page) => page.getByRole('menuitemradio', { name: '한국어' }),
    writes: ['PATCH /api/auth/me/language'],
    kept: async (page, _, { spare }) => {
      await isReplaced(page)
      await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
      await call(spare, 'patch', '/api/auth/me/language', { language: 'en' })
      await page.evaluate(() => localStorage.setItem('vg.language', 'en'))
    },
  },
  ...[0, 1].map(
    (at): Press => ({
      hook: 'account/useEndSession',
      who: 'spare',
      stage: async ({ spare, guest }) => {
        for (let session = 0; session < 3; session += 1) {
          await signIn(guest, spare.email, ANOTHER)
          await guest.clearCookies()
        }
        return ''
      },
      path: '/account',
      reach: (page) =>
        at === 0
          ? expect(page.getByText('This browser')).toBeVisible()
          : mainButton(page, 'Sign out everywhere else').click(),
      button: (page) =>
        at === 0
          ? page
              .getByRole('main')
              .getByRole('button', { name: /^Sign out (?!everywhere)/ })
              .first()
          : dialogButton(page, 'Sign out everywhere else'),
      writes: [`DELETE /api/auth/me/session${at === 0 ? '/:id' : ''}`],
      kept: async (_page, _, { spare }) => {
        const left = (await list(spare, '/api/auth/me/session')).length
        if (at === 0) expect(left).toBeGreaterThan(3)
        else expect(left).toBe(1)
      },
    }),
  ),
  {
    hook: 'auth/useSignOut',
    who: 'spare',
    path: '/jobs',
    reach: (page) => page.getByRole('button', { name: 'Your menu' }).click(),
    button: (page) => page.getByRole('menuitem', { name: 'Sign out' }),
    writes: ['POST /api/auth/logout'],
    kept: (page) => expect(page.getByRole('button', { name: 'Get started' })).toBeVisible(),
  },
  {
    hook: 'account/useDeleteAccount',
    who: 'spare',
    stage: async ({ spare }) => {
      await signIn(spare.context, spare.email, ANOTHER)
      return ''
    },
    path: '/account',
    reach: async (page) => {
      await mainButton(page, 'Delete my account').click()
      await page.getByRole('dialog').getByLabel('Your password').fill(ANOTHER)
    },
    button: (page) => dialogButton(page, 'Delete my account'),
    writes: ['DELETE /api/auth/me'],
    kept: (page) => expect(page.getByRole('button', { name: 'Get started' })).toBeVisible(),
  },
]
