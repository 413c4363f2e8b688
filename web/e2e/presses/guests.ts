import { expect, type Page } from '@playwright/test'
import { linkFor } from '../mail'
import { PASSWORD } from '../people'
import { call } from './fixtures'
import { mainButton, type Press } from './row'

const OPTIONS = '**/api/public/sign-in-options'
const offer = (page: Page) => page.route(OPTIONS, (route) => route.fulfill({ json: { google: true, discord: false } }))
/** Signs out again: the next row is a guest's. */
const leave = async (page: Page) => {
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
  await page.context().clearCookies()
  await page.evaluate(() => localStorage.removeItem('vg.signedIn'))
}

/** Actions of guests. */
export const GUESTS: Press[] = [
  {
    hook: 'auth/useSignUp',
    who: 'guest',
    path: '/signup',
    reach: async (page) => {
      await page.getByLabel('E-mail').fill(`twice-${Date.now()}@example.com`)
      await page.getByLabel('Name').fill('Twice')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByLabel('I agree to the terms of use').check()
      await page.getByLabel('I agree to the privacy policy').check()
    },
    button: (page) => mainButton(page, 'Create account'),
    writes: ['POST /api/auth/signup/email-password'],
    kept: leave,
  },
  {
    hook: 'auth/useFinishSignUp',
    who: 'guest',
    before: async (page, _, { other }) => {
      const user = await call(other, 'get', '/api/auth')
      // A pending sign-up that survives a reload.
      const pending = { signUp: 's', email: 'twice@example.com', expiresAt: '2999-01-01T00:00:00Z' }
      await page.addInitScript((kept) => sessionStorage.setItem('vg.signUp', kept), JSON.stringify(pending))
      await page.route('**/api/auth/signup/email-password/code', (route) => route.fulfill({ status: 201, json: user }))
    },
    path: '/signup',
    reach: (page) => page.getByLabel('Code').fill('204 913'),
    button: (page) => mainButton(page, 'Confirm'),
    writes: ['POST /api/auth/signup/email-password/code'],
    kept: (page) => page.evaluate(() => localStorage.removeItem('vg.signedIn')),
  },
  {
    hook: 'auth/useSignIn',
    who: 'guest',
    path: '/login',
    reach: async (page, _, { other }) => {
      await page.getByLabel('E-mail').fill(other.email)
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    },
    button: (page) => mainButton(page, 'Sign in'),
    writes: ['POST /api/auth/login/email-password'],
    kept: leave,
  },
  {
    hook: 'auth/useForgotPassword',
    who: 'guest',
    path: '/forgot-password',
    reach: (page, _, { other }) => page.getByLabel('E-mail').fill(other.email),
    button: (page) => mainButton(page, 'Send the link'),
    writes: ['POST /api/auth/password/forgot'],
  },
  {
    hook: 'auth/useResetPassword',
    who: 'guest',
    stage: async ({ other }) => new URL(await linkFor(other.email, 'reset-password')).hash,
    path: (hash) => `/reset-password${hash}`,
    reach: (page) => page.getByLabel('New password', { exact: true }).fill(PASSWORD),
    button: (page) => mainButton(page, 'Save and sign in'),
    writes: ['POST /api/auth/password/reset'],
    kept: async (page, _, { other, guest }) => {
      await leave(page)
      // Signs the user out everywhere else.
      const data = { email: other.email, password: PASSWORD }
      await call(other, 'post', '/api/auth/login/email-password', data)
      await guest.clearCookies()
    },
  },
  {
    hook: 'auth/useVerifyEmail',
    who: 'guest',
    before: async (page) => {
      let asked = 0
      await page.route('**/api/auth/verify-email', (route) => {
        asked += 1
        const away = { status: 503, json: { code: 'UNAVAILABLE', message: 'made up' } }
        return route.fulfill(asked === 1 ? away : { status: 204 })
      })
    },
    path: '/verify-email#code=x',
    button: (page) => mainButton(page, 'Try again'),
    writes: ['POST /api/auth/verify-email'],
    kept: (page) => expect(page.getByText('your e-mail address is confirmed')).toBeVisible(),
  },
  {
    hook: 'auth/useGoToProvider',
    who: 'guest',
    before: async (page) => {
      await offer(page)
      await page.route('**/api/auth/signup/google/start', (route) => route.fulfill({ json: { url: '/terms' } }))
    },
    path: '/login',
    button: (page) => mainButton(page, 'Continue with Google'),
    writes: ['POST /api/auth/signup/google/start'],
    kept: (page) => expect(page).toHaveURL(/\/terms$/),
  },
  {
    hook: 'auth/useFinishSocial',
    who: 'guest',
    before: async (page, _, { other }) => {
      const user = await call(other, 'get', '/api/auth')
      let asked = 0
      await page.route('**/api/auth/signup/google', (route) => {
        asked += 1
        const terms = { status: 422, json: { code: 'AUTH_TERMS_REQUIRED', message: 'made up' } }
        return route.fulfill(asked === 1 ? terms : { status: 201, json: user })
      })
    },
    path: '/login/google?code=c&state=s',
    reach: async (page) => {
      await page.getByLabel('I agree to the terms of use').check()
      await page.getByLabel('I agree to the privacy policy').check()
    },
    button: (page) => mainButton(page, 'Create account'),
    writes: ['POST /api/auth/signup/google'],
    kept: (page) => page.evaluate(() => localStorage.removeItem('vg.signedIn')),
  },
  {
    hook: 'notifications/useUnsubscribe',
    who: 'guest',
    before: (page) => page.route('**/api/public/unsubscribe', (route) => route.fulfill({ status: 204 })),
    path: '/unsubscribe#code=x',
    button: (page) => mainButton(page, 'Stop the e-mails'),
    writes: ['POST /api/public/unsubscribe'],
    kept: (page) => expect(page.getByText('You will get no more e-mails')).toBeVisible(),
  },
]
