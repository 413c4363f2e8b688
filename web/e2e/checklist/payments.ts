import { expect, type Page } from '@playwright/test'
import { basicSubscription, expectToast, mockRefusal, mockSuccess, type Row, withSubscription } from './row'

const ID = '01970000-0000-7000-8000-0000000000c1'
const AT = '2026-11-20T08:00:00Z'
const CANCEL = '**/api/general/subscription/cancel'
const PRICES = { KRW: 9900, USD: 699 }
const ITEMS = [
  { _id: ID, kind: 'Subscription', name: 'Basic', plan: 'Basic', credits: 72_000, amount: 72_000, prices: PRICES },
  {
    _id: '01970000-0000-7000-8000-0000000000c2',
    kind: 'Credit',
    name: 'Pack of the checklist',
    plan: null,
    credits: 10_000,
    amount: 10_000,
    prices: PRICES,
  },
]

const STATUSES = ['Ready', 'Paid', 'Canceled', 'Failed', 'Refunded']
const LABELS = {
  en: ['Payment in progress', 'Paid', 'Canceled', 'Payment failed', 'Refunded'],
  ko: ['결제 진행 중', '결제 완료', '취소됨', '결제 실패', '환불됨'],
}

/** A shop that sells a plan and a pack in both currencies. */
const withShop = (page: Page) =>
  mockSuccess(page, 'GET', '**/api/public/item', {
    items: ITEMS,
    buying: { isTest: true, currencies: ['KRW', 'USD'] },
  })

/** Orders of the caller with these states. */
const withOrders = (page: Page, ...orders: ({ status: string } & Record<string, unknown>)[]) =>
  mockSuccess(page, 'GET', /\/api\/general\/order(\?|$)/, {
    items: orders.map((order, place) => ({
      _id: `01970000-0000-7000-8000-00000000000${place}`,
      type: 'Payment',
      kind: 'Credit',
      name: `Order ${order.status}`,
      isChange: false,
      credits: 10_000,
      bonusCredits: 0,
      amount: 9900,
      currency: 'KRW',
      provider: 'TossPayments',
      // A payment that is under way has no address to approve it at.
      isSettling: order.status === 'Ready',
      refundedAmount: 0,
      refundedCredits: 0,
      refundedBonusCredits: 0,
      createdAt: AT,
      ...order,
    })),
    nextCursor: null,
  })

/** Credits of a coupon, and a plan from an admin. */
const GIVEN = [
  { status: 'Paid', type: 'Coupon', provider: 'Coupon', name: 'Welcome', credits: 500 },
  { status: 'Paid', type: 'Free', provider: 'Free', kind: 'Subscription', name: 'Pro', plan: 'Pro', credits: 0 },
].map((order) => ({ ...order, amount: 0, currency: null, periodFrom: AT }))

const RUNNING = { status: 'Active', paidWith: 'Card', amount: 9900, currency: 'KRW', nextAmount: 9900 }

/** Asks to cancel the plan and confirms. */
async function cancelPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const question = page.getByRole('dialog', { name: 'Cancel the Basic subscription?' })
  await expect(
    question.getByText(/The recurring payment stops at once\. To subscribe again .* you pay again/),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Cancel subscription' }).click()
}

/** Plans, payments and their texts. */
export const PAYMENTS: Row[] = [
  {
    proves: '1 §9 Free plan: fast GPU time 10 minutes; plans in hours per month',
    path: '/pricing',
    see: async (page) => {
      await expect(page.getByText('10 minutes on Fast GPU', { exact: true })).toBeVisible()
      await expect(page.getByText('2 hours a month on Fast GPU', { exact: true })).toBeVisible()
      await expect(page.getByText('30 hours a month on Fast GPU', { exact: true })).toBeVisible()
    },
  },
  {
    proves: '1 §9 plan price unit: won per month and hours per month',
    language: 'ko',
    path: '/pricing',
    before: withShop,
    see: async (page) => {
      await expect(page.getByText('월 ₩9,900', { exact: true })).toBeVisible()
      await expect(page.getByText('매월 Fast GPU 2시간', { exact: true })).toBeVisible()
    },
  },
  {
    proves: '1 §3 billing country: Republic of Korea or others, which decides the currency',
    path: '/pricing',
    before: withShop,
    see: async (page) => {
      await expect(page.getByText('$6.99 a month', { exact: true })).toBeVisible()
      await page.getByRole('radio', { name: 'Republic of Korea' }).click()
      await expect(page.getByText('₩9,900 a month', { exact: true })).toBeVisible()
      await page.getByRole('radio', { name: 'Others' }).click()
      await expect(page.getByText('$6.99 a month', { exact: true })).toBeVisible()
    },
  },
  {
    proves: '1 §6 a plan and a pack are bought after the login modal',
    path: '/pricing',
    before: withShop,
    see: async (page) => {
      for (const name of ['Subscribe to Basic', 'Buy Pack of the checklist']) {
        await page.getByRole('button', { name, exact: true }).click()
        await expect(page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
    },
  },
  ...(['en', 'ko'] as const).map(
    (language): Row => ({
      proves: '1 §5 the required terms must be agreed before payment',
      who: 'person',
      language,
      path: '/pricing',
      before: withShop,
      see: async (page) => {
        const [buy, pay, refusal] = {
          en: [
            'Buy Pack of the checklist',
            'Continue to payment',
            'Please agree to the required terms and conditions.',
          ],
          ko: ['Pack of the checklist 구매', '결제하기', '필수 약관에 동의해주세요.'],
        }[language] as [string, string, string]
        await page.getByRole('button', { name: buy, exact: true }).click()
        const dialog = page.getByRole('dialog', { name: buy })
        await dialog.getByRole('button', { name: pay }).click()
        await expect(dialog.getByText(refusal)).toBeVisible()
      },
    }),
  ),
  ...(['en', 'ko'] as const).map(
    (language): Row => ({
      proves: '1 §3 payment status: labels of Ready, Paid, Canceled, Failed and Refunded',
      who: 'person',
      language,
      path: '/account?tab=orders',
      before: (page) => withOrders(page, ...STATUSES.map((status) => ({ status }))),
      see: async (page) => {
        for (const [place, status] of STATUSES.entries()) {
          const order = page.getByRole('article', { name: `Order ${status}` })
          await expect(order.getByText(LABELS[language][place] ?? '', { exact: true })).toBeVisible()
        }
      },
    }),
  ),
  ...(['en', 'ko'] as const).map(
    (language): Row => ({
      proves: '1 §3 payment type Payment, Coupon, Free; payment provider Coupon, Free',
      who: 'person',
      language,
      path: '/account?tab=orders',
      before: (page) => withOrders(page, { status: 'Paid' }, ...GIVEN),
      see: async (page) => {
        const words = { en: ['Coupon', 'Free', 'Free of charge'], ko: ['쿠폰', '무료', '무료 제공'] }[language]
        const [coupon = '', free = '', price = ''] = words
        const line = (name: string) => page.getByRole('article', { name })
        await expect(line('Order Paid').getByText(LABELS[language][1] ?? '', { exact: true })).toBeVisible()
        await expect(line('Welcome').getByText(coupon, { exact: true })).toBeVisible()
        await expect(line('Welcome').getByText(price)).toBeVisible()
        await expect(line('Pro').getByText(free, { exact: true })).toBeVisible()
      },
    }),
  ),
  {
    proves: '1 §4 payment status Failed: the reason of the card company has its own text',
    who: 'person',
    path: '/account?tab=orders',
    before: (page) =>
      withOrders(page, { status: 'Failed', failure: 'DECLINED', declineReason: 'INVALID_CARD_LOST_OR_STOLEN' }),
    see: (page) => expect(page.getByText('This card was reported as lost or stolen. Use another card.')).toBeVisible(),
  },
  {
    proves: '1 §2 plan management: next billing date; 1 §4 and §8 a subscription is canceled, with its message',
    who: 'person',
    path: '/account?tab=subscription',
    before: async (page) => {
      await withSubscription(page, RUNNING)
      await mockSuccess(page, 'POST', CANCEL, basicSubscription({ ...RUNNING, isCanceled: true }))
    },
    see: async (page) => {
      await expect(page.getByText('Next billing date')).toBeVisible()
      await expect(page.getByText(/^2026\.12\.20, ₩9,900$/)).toBeVisible()
      await cancelPlan(page)
      await expectToast(page, 'The subscription was canceled')
    },
  },
  {
    proves: '1 §8 subscription cancel: the message of a failure',
    who: 'person',
    path: '/account?tab=subscription',
    before: async (page) => {
      await withSubscription(page, RUNNING)
      await mockRefusal(page, 'POST', CANCEL)
    },
    see: async (page) => {
      await cancelPlan(page)
      await expectToast(page, /^The subscription could not be canceled: /)
    },
  },
  {
    proves: '1 §5 the default payment method cannot be deleted',
    who: 'person',
    path: '/account?tab=payment',
    before: (page) => {
      const card = {
        _id: ID,
        provider: 'TossPayments',
        label: '4330-12**-****-1234',
        issuer: 'Hyundai',
        currency: 'KRW',
      }
      const methods = [{ ...card, isDefault: true, createdAt: AT }]
      return mockSuccess(page, 'GET', '**/api/general/payment-method', { methods, hasCardForm: true })
    },
    see: async (page) => {
      const card = page.getByRole('article', { name: 'Hyundai 4330-12**-****-1234' })
      await expect(card.getByText('The default payment method cannot be deleted')).toBeVisible()
      await expect(card.getByRole('button', { name: /^Delete/ })).toBeDisabled()
    },
  },
  {
    proves: '1 §3 billing form: country, card, password digits, identity number, expiration, name and optional e-mail',
    who: 'person',
    path: '/account?tab=payment',
    before: (page) =>
      mockSuccess(page, 'POST', '**/api/general/payment-method', {
        _id: ID,
        page: null,
        toss: null,
        hasCardForm: true,
      }),
    see: async (page) => {
      await page.getByRole('button', { name: 'Add a card' }).first().click()
      const form = page.getByRole('dialog', { name: 'Add a card' })
      const country = form.getByLabel('Country of your billing address')
      await expect(country).toContainText('Republic of Korea')
      await expect(country).toContainText('Others')
      await form.getByRole('button', { name: 'Continue' }).click()
      for (const label of [
        'Card number',
        'Expiration',
        'First 2 digits of the card password',
        'Identity number',
        'Name',
        'E-mail (optional)',
      ]) {
        await expect(form.getByLabel(label, { exact: true })).toBeVisible()
      }
      await form.getByRole('button', { name: 'Save card' }).click()
      await expect(form.getByText('Please agree to the required terms and conditions.')).toBeVisible()
    },
  },
  {
    proves: '1 §3 product kind Subscription or Credit: a filter of /admin/list/order-history',
    who: 'admin',
    path: '/admin/list/order-history',
    see: async (page) => {
      await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('Plan')
      await expect(page).toHaveURL(/\?kind=Subscription$/)
      await expect(page.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', /kind=Subscription/)
    },
  },
]
