import { expect, type Page, test } from '@playwright/test'
import { demoAccount, isReplaced, markDocument, newAddress, PASSWORD, signUp } from './people'

/** Fills in and submits the form of the sign-up page. */
async function submitSignUp(page: Page, email: string): Promise<void> {
  await page.goto('/signup')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Name').fill('Mira')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('I agree to the terms of use').check()
  await page.getByLabel('I agree to the privacy policy').check()
  await page.getByRole('button', { name: 'Create account' }).click()
}

test('a new user signs up, signs out and signs in again', async ({ page }) => {
  const email = newAddress()
  await submitSignUp(page, email)
  await page.getByRole('button', { name: 'Your menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Get started' })).toBeVisible()

  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
})

test('a wrong password is refused with an error at its field', async ({ page }) => {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(demoAccount().email)
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('E-mail or password is wrong')
  await expect(page.getByRole('button', { name: 'Your menu' })).toHaveCount(0)
})

test('a taken address shows an error at its field', async ({ page }) => {
  await submitSignUp(page, demoAccount().email)
  await expect(page.locator('form').getByRole('alert')).toHaveText('This e-mail is already in use')
})

test("a guest's language choice survives a reload", async ({ page }) => {
  await page.goto('/')
  await markDocument(page)
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '한국어' }).click()
  await isReplaced(page)
  await expect(page.getByRole('link', { name: '미니 앱', exact: true })).toBeVisible()
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ko')
  await expect(page.getByRole('button', { name: '시작하기' })).toBeVisible()
})

test('the language is stored in the account', async ({ page }) => {
  await signUp(page)
  await page.goto('/')
  await expect(page.getByRole('button', { name: 'Your menu' })).toBeVisible()
  await markDocument(page)
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitemradio', { name: '한국어' }).click()
  // The page is loaded again in the new language.
  await isReplaced(page)
  await expect(page.getByRole('link', { name: '내 작업' })).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  const user = (await (await page.request.get('/api/auth')).json()) as { language: string }
  expect(user.language).toBe('ko')
})
