import { expect, test } from '@playwright/test'
import { linkFor } from './mail'
import { drawPicture, PASSWORD, signUp } from './people'

test('a new user confirms the e-mail address by the mailed link', async ({ page, browser }) => {
  const email = await signUp(page)
  await page.goto('/account')
  await expect(page.getByRole('switch').first()).toBeVisible()
  await expect(page.getByText(`Please confirm ${email}`, { exact: false })).toHaveCount(1)
  const link = await linkFor(email, 'verify-email')
  // The mail is opened in another browser.
  const other = await browser.newPage()
  await other.goto(link)
  await expect(other.getByText('your e-mail address is confirmed')).toBeVisible()
  expect(new URL(other.url()).hash).toBe('')
  // A changed fragment alone would not reload the page.
  await other.goto('about:blank')
  await other.goto(link)
  await expect(other.getByRole('alert')).toContainText('already been used')
  await other.close()
  await page.reload()
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send the e-mail again' })).toHaveCount(0)
})

test('a mailed link resets a forgotten password', async ({ page, browser }) => {
  const email = await signUp(page)
  const other = await browser.newPage()
  await other.goto('/login')
  await other.getByRole('link', { name: 'Forgot your password?' }).click()
  // Both pages ask for an e-mail address.
  await expect(other.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await other.getByLabel('E-mail').fill(email)
  await other.getByRole('button', { name: 'Send the link' }).click()
  await expect(other.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
  await other.goto(await linkFor(email, 'reset-password'))
  await other.getByLabel('New password', { exact: true }).fill('another long password')
  await other.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(other.getByRole('button', { name: 'Your menu' })).toBeVisible()
  // The first browser is signed out.
  await page.goto('/account')
  await expect(page.getByText('Sign in to see your account')).toBeVisible()
  await other.close()
})

test('a profile picture is cropped to a square and shown beside the name', async ({ page }) => {
  await signUp(page)
  await page.goto('/account')
  await page.getByLabel('Profile picture').setInputFiles(await drawPicture(page, 900))
  const dialog = page.getByRole('dialog', { name: 'Crop your picture' })
  const zoom = dialog.getByLabel('Zoom')
  await expect(zoom).toHaveAttribute('max', '1.2')
  await zoom.fill('1.2')
  await dialog.getByRole('button', { name: 'Use this picture' }).click()
  await expect(page.getByText('Your picture was changed')).toBeVisible()
  const user = (await (await page.request.get('/api/auth')).json()) as { profile: { width: number; height: number } }
  expect(user.profile.width).toBe(user.profile.height)
  expect(user.profile.width).toBe(512)
  await expect(page.locator('header img')).toHaveAttribute('src', /w200/)
})

test('the account page ends sessions of other browsers', async ({ page, browser }) => {
  const email = await signUp(page)
  const other = await browser.newPage()
  await other.goto('/login')
  await other.getByLabel('E-mail').fill(email)
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(other.getByRole('button', { name: 'Your menu' })).toBeVisible()
  await page.goto('/account')
  await expect(page.getByText('This browser')).toHaveCount(1)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(page.getByRole('button', { name: 'Sign out everywhere else' })).toHaveCount(0)
  expect((await other.request.get('/api/auth')).status()).toBe(401)
  await other.close()
})

test('a user exports their data and deletes the account', async ({ page }) => {
  const email = await signUp(page)
  await page.goto('/account')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^verdigraph-\d{4}-\d{2}-\d{2}\.json$/)
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete the account of Mira?' })
  await dialog.getByLabel('Your password').fill('a wrong password')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The current password is wrong')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(page.getByRole('button', { name: 'Get started' })).toBeVisible()
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('E-mail or password is wrong')
})

test('declining at Google shows a message and allows another try', async ({ page }) => {
  await page.goto('/login/google?error=access_denied&state=x')
  await expect(page.getByRole('alert')).toContainText('did not allow Google')
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect(page.getByLabel('E-mail')).toBeVisible()
})
