import { expect, type Page, test } from '@playwright/test'
import { fits } from './fits'
import { LANGUAGES, type Language } from './page-list'
import { demoAccount } from './people'
import { call, join, type Person, signIn } from './presses/fixtures'
import { endPack, makePack, ordersOf } from './shop-items'

type Words = Record<
  | 'price'
  | 'otherCountry'
  | 'otherPrice'
  | 'pay'
  | 'goOn'
  | 'mustAgree'
  | 'test'
  | 'approve'
  | 'decline'
  | 'hang'
  | 'cancel'
  | 'asking'
  | 'added'
  | 'declined'
  | 'notMade'
  | 'cancelOrder'
  | 'canceled'
  | 'paid'
  | 'refund'
  | 'refundOrder'
  | 'refunded',
  string
> & { buy: (name: string) => string }

const WORDS: Record<Language, Words> = {
  en: {
    price: '$6.99',
    otherCountry: 'Republic of Korea',
    otherPrice: '₩9,900',
    buy: (name) => `Buy ${name}`,
    pay: 'Continue to payment',
    goOn: 'Continue to payment',
    mustAgree: 'Please agree to the required terms and conditions.',
    test: 'This is a test.',
    approve: 'Approve',
    decline: 'Decline',
    hang: 'Take the money, lose the answer',
    cancel: 'Cancel',
    asking: 'We are asking the payment provider…',
    added: '1,234 credits were added',
    declined: 'The payment was declined.',
    notMade: 'The payment was not made.',
    cancelOrder: 'Cancel order',
    canceled: 'The order was canceled. Nothing was charged.',
    paid: 'Paid',
    refund: 'Refund',
    refundOrder: 'Refund order',
    refunded: 'Refunded',
  },
  ko: {
    price: '₩9,900',
    otherCountry: '그 외 국가',
    otherPrice: '$6.99',
    buy: (name) => `${name} 구매`,
    pay: '결제하기',
    goOn: '결제 계속하기',
    mustAgree: '필수 약관에 동의해주세요.',
    test: '테스트입니다.',
    approve: '승인',
    decline: '거절',
    hang: '결제하고 응답은 유실',
    cancel: '취소',
    asking: '결제사에 결과를 확인하고 있습니다…',
    added: '1,234크레딧이 추가되었습니다',
    declined: '결제가 거절되었습니다.',
    notMade: '결제하지 않았습니다.',
    cancelOrder: '주문 취소',
    canceled: '주문이 취소되었습니다. 청구된 금액은 없습니다.',
    paid: '결제 완료',
    refund: '환불',
    refundOrder: '환불하기',
    refunded: '환불됨',
  },
}

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const newest = (page: Page) => page.getByRole('article').first()
const available = async (person: Person) =>
  (await call<{ available: number }>(person, 'get', '/api/general/credit')).available

/** Buys a pack up to the page of the provider. */
async function buy(page: Page, name: string, words: Words): Promise<void> {
  await page.goto('/pricing')
  await button(page, words.buy(name)).click()
  const dialog = page.getByRole('dialog', { name: words.buy(name) })
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: words.pay }).click()
  await expect(page).toHaveURL(/\/test-payment\//)
  await expect(page.getByText(words.test)).toBeVisible()
}

/** The address forgets the order when its payment is settled. */
const isTidy = (page: Page) => expect(page).toHaveURL(/\/account\?tab=orders$/)

for (const language of LANGUAGES) {
  test(`a buyer pays a pack by the test provider on a phone, in ${language}`, async ({ browser }) => {
    test.setTimeout(480_000)
    const words = WORDS[language]
    const { email, password } = demoAccount('Admin')
    const admin = await signIn(await browser.newContext(), email, password)
    const buyer = await join(browser, 'Mira')
    await call(buyer, 'patch', '/api/auth/me/language', { language })
    const pack = await makePack(admin, `Pack ${language}`)
    try {
      const page = await buyer.context.newPage()
      await page.setViewportSize({ width: 390, height: 844 })
      await page.addInitScript((tag) => localStorage.setItem('vg.language', tag), language)

      await test.step('the price follows the country, and the terms are required', async () => {
        await page.goto('/pricing')
        const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: pack.name }) })
        await expect(card.getByText(words.price)).toBeVisible()
        const country = page.getByRole('radio', { name: words.otherCountry })
        await country.click()
        await expect(card.getByText(words.otherPrice)).toBeVisible()
        await country.press('ArrowLeft')
        await expect(card.getByText(words.price)).toBeVisible()
        await fits(page, 'the shop')
        await button(page, words.buy(pack.name)).press('Enter')
        const dialog = page.getByRole('dialog', { name: words.buy(pack.name) })
        await dialog.getByRole('button', { name: words.pay }).click()
        await expect(dialog.getByText(words.mustAgree)).toBeVisible()
        await expect(dialog.getByRole('checkbox')).toBeFocused()
        await fits(page, 'the dialog of the shop')
        expect(await ordersOf(buyer, pack.name)).toEqual([])
      })

      await test.step('an approved payment adds credits, and a refund takes them back', async () => {
        const before = await available(buyer)
        await buy(page, pack.name, words)
        await fits(page, 'the test provider')
        await button(page, words.approve).click()
        await expect(page.getByText(words.added)).toBeVisible()
        await isTidy(page)
        await fits(page, 'the orders')
        expect(await available(buyer)).toBe(before + 1234)
        await expect(newest(page).getByText(words.paid, { exact: true })).toBeVisible()
        await newest(page).getByRole('button', { name: words.refund, exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: words.refundOrder, exact: true }).click()
        await expect.poll(() => available(buyer)).toBe(before)
        await expect
          .poll(async () => (await ordersOf(buyer, pack.name))[0]?.status, { timeout: 60_000 })
          .toBe('Refunded')
        await page.reload()
        await expect(newest(page).getByText(words.refunded, { exact: true })).toBeVisible()
      })

      await test.step('a declined payment says so', async () => {
        await buy(page, pack.name, words)
        await button(page, words.decline).click()
        await expect(page.getByRole('alert').filter({ hasText: words.declined })).toBeVisible()
        await isTidy(page)
      })

      await test.step('a canceled payment can be continued, or its order canceled', async () => {
        await buy(page, pack.name, words)
        await page.getByRole('main').getByRole('link', { name: words.cancel, exact: true }).click()
        const result = page.getByRole('status').filter({ hasText: words.notMade })
        await expect(result.getByRole('link', { name: words.goOn })).toBeVisible()
        await result.getByRole('button', { name: words.cancelOrder }).click()
        await expect(page.getByText(words.canceled)).toBeVisible()
        await isTidy(page)
      })

      await test.step('a payment without an answer is settled later', async () => {
        const before = await available(buyer)
        await buy(page, pack.name, words)
        await button(page, words.hang).click()
        await expect(page.getByText(words.asking).or(page.getByText(words.added))).toBeVisible()
        await expect.poll(() => available(buyer), { timeout: 180_000 }).toBe(before + 1234)
        await expect(page.getByText(words.added)).toBeVisible({ timeout: 30_000 })
        await isTidy(page)
      })
    } finally {
      await endPack(admin, pack._id)
      await admin.context.close()
      await buyer.context.close()
    }
  })
}
