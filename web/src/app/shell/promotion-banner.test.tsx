import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { user } from '@/shared/testing/factories'
import { renderApp } from '@/shared/testing/render'
import { stubApi } from '@/shared/testing/stub-api'
import PromotionBanner from './promotion-banner'

const CURRENT = 'GET /api/public/promotion'
const SIGNED_IN = { 'GET /api/auth': { body: user() } }
const banner = (id = 'promotion-2', link = '/pricing') => ({
  body: {
    banner: {
      _id: id,
      textEn: 'Spring is here.',
      textKo: '봄맞이 행사 중입니다.',
      labelEn: 'See the packs',
      labelKo: '크레딧 보기',
      link,
    },
    firstPurchasePercent: null,
  },
})
beforeEach(() => window.localStorage.clear())

it('the banner of a promotion has a text and a link into the site', async () => {
  stubApi({ ...SIGNED_IN, [CURRENT]: banner() })
  renderApp(<PromotionBanner />)
  const shown = await screen.findByRole('complementary', { name: 'Promotion' })
  expect(shown.textContent).toContain('Spring is here.')
  expect(screen.getByRole('link', { name: 'See the packs' }).getAttribute('href')).toBe('/pricing')
})

it('a closed banner stays closed in this browser, and a newer one is shown', async () => {
  stubApi({ ...SIGNED_IN, [CURRENT]: banner() })
  const { unmount } = renderApp(<PromotionBanner />)
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('complementary')).toBeNull()
  unmount()
  const requests = stubApi({ ...SIGNED_IN, [CURRENT]: banner() })
  const again = renderApp(<PromotionBanner />)
  await waitFor(() => expect(requests.some(({ path }) => path === '/api/public/promotion')).toBe(true))
  expect(screen.queryByRole('complementary')).toBeNull()
  again.unmount()
  stubApi({ ...SIGNED_IN, [CURRENT]: banner('promotion-3') })
  renderApp(<PromotionBanner />)
  expect(await screen.findByRole('complementary', { name: 'Promotion' })).toBeTruthy()
})

it('guests are asked about too, and pages to sign in have no banner', async () => {
  const guest = { 'GET /api/auth': { status: 401, body: { code: 'AUTH_LOGIN_REQUIRED', message: 'no' } } }
  stubApi({ ...guest, [CURRENT]: banner() })
  const { unmount } = renderApp(<PromotionBanner />)
  expect(await screen.findByText(/Spring is here/)).toBeTruthy()
  unmount()
  const requests = stubApi({ ...guest, [CURRENT]: banner() })
  renderApp(<PromotionBanner />, { path: '/login' })
  await waitFor(() => expect(requests.some(({ path }) => path === '/api/public/promotion')).toBe(true))
  expect(screen.queryByText(/Spring is here/)).toBeNull()
})
