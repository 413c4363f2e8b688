import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import PricingPage from './pricing-page'

const POOL = { name: 'standard', title: 'Fast GPU', gpu: '24 GB', creditsPerSecond: 10 }
const plan = (name: string, monthlyCredits: number, stealthMode: boolean) => ({
  name,
  monthlyCredits,
  weight: 1,
  pools: [POOL],
  maxRunSeconds: 600,
  maxQueuedJobs: 100_000,
  storageBytes: 2 ** 30,
  stealthMode,
})
const answers = {
  'GET /api/public/plan': { body: { items: [plan('Free', 6000, false), plan('Pro', 60_000, true)] } },
  'GET /api/public/promotion': { body: { banner: null, firstPurchasePercent: null } },
  'GET /api/public/item': { body: { items: [], buying: { isTest: false, currencies: [] } } },
  'GET /api/public/operator': { body: { name: 'Green Studio', email: 'help@example.com' } },
  'GET /api/public/mini-app': {
    body: { items: [{ _id: 'post-1', workflowApi: 'app-1', name: 'Folded Silk' }], nextCursor: null },
  },
  'GET /api/public/workflow-api/app-1/quote': { body: { expected: { credits: 40 } } },
}

it('shows guests what each plan gives, and whom to ask', async () => {
  stubApi({ 'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } }, ...answers })
  renderApp(<PricingPage />)
  const plans = within(await screen.findByRole('list', { name: 'Plans' }))
  expect(await plans.findByText('About 150 pictures with Folded Silk')).toBeTruthy()
  expect(plans.getByText('10 minutes on Fast GPU')).toBeTruthy()
  expect(plans.getByText('1.6 hours a month on Fast GPU')).toBeTruthy()
  expect(plans.getAllByText(/Stealth Mode/)).toHaveLength(1)
  expect(screen.queryByText('Your plan')).toBeNull()
  expect((await screen.findByRole('link', { name: 'Ask Green Studio' })).getAttribute('href')).toBe(
    'mailto:help@example.com',
  )
  expect(screen.getByText('Free, Pro')).toBeTruthy()
})

it('marks the current plan', async () => {
  stubApi({ 'GET /api/auth': { body: user({ subscriptions: [{ name: 'Pro' }] }) }, ...answers })
  renderApp(<PricingPage />)
  const current = (await screen.findByText('Your plan')).closest('li')
  expect(within(current as HTMLElement).getByRole('heading', { name: 'Pro' })).toBeTruthy()
})

it('has the packs of credits under the plans', async () => {
  stubApi({ 'GET /api/auth': { body: user() }, ...answers })
  renderApp(<PricingPage />)
  const packs = within(await screen.findByRole('region', { name: 'Credit packs' }))
  expect((await packs.findByRole('link', { name: 'Your coupons' })).getAttribute('href')).toBe('/account?tab=coupon')
})
