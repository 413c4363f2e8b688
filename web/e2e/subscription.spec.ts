import { expect, type Page, test } from '@playwright/test'
import { fits } from './fits'
import { LANGUAGES, type Language } from './page-list'
import { demoAccount } from './people'
import { buyIn, cardsOf, planItem, saveCard, subscriptionOf } from './plan-items'
import { call, join, type Person, signIn } from './presses/fixtures'

type Words = Record<
  | 'addCard'
  | 'test'
  | 'works'
  | 'declines'
  | 'mustAgree'
  | 'send'
  | 'done'
  | 'current'
  | 'declined'
  | 'active'
  | 'cancel'
  | 'cancelNow'
  | 'canceled'
  | 'resume'
  | 'resumed'
  | 'keepDefault'
  | 'remove'
  | 'saved'
  | 'continue'
  | 'toPayPal'
  | 'approve'
  | 'agreement'
  | 'charge'
  | 'charged'
  | 'back',
  string
> &
  Record<'subscribe' | 'subscribeTo' | 'switchTo' | 'now' | 'title', (plan: string) => string> & { pay: RegExp }

const WORDS: Record<Language, Words> = {
  en: {
    subscribe: (plan) => `Subscribe to ${plan}`,
    subscribeTo: (plan) => `Subscribe to ${plan}`,
    switchTo: (plan) => `Switch to ${plan}`,
    addCard: 'Add a card',
    test: 'This is a test.',
    works: 'A card that works',
    declines: 'A card that is declined',
    mustAgree: 'Please agree to the required terms and conditions.',
    send: 'Subscribe and pay',
    now: (plan) => `You are on ${plan} now.`,
    done: 'Done',
    current: 'Your plan',
    declined: 'The payment was declined.',
    pay: /^Switch and pay /,
    title: (plan) => `${plan} subscription`,
    active: 'Active',
    cancel: 'Cancel subscription',
    cancelNow: 'Cancel subscription',
    canceled: 'The subscription was canceled',
    resume: 'Resume subscription',
    resumed: 'The subscription was resumed',
    keepDefault: 'The default payment method cannot be deleted',
    remove: 'Delete',
    saved: 'The card was saved',
    continue: 'Continue',
    toPayPal: 'Continue to PayPal',
    approve: 'Approve',
    agreement: 'Open the test agreement',
    charge: 'Charge the next month',
    charged: 'The next month was charged.',
    back: 'To your subscription',
  },
  ko: {
    subscribe: (plan) => `${plan} 구독`,
    subscribeTo: (plan) => `${plan} 구독하기`,
    switchTo: (plan) => `${plan} 요금제로 변경`,
    addCard: '카드 추가',
    test: '테스트입니다.',
    works: '정상 카드',
    declines: '거절되는 카드',
    mustAgree: '필수 약관에 동의해주세요.',
    send: '구독하고 결제하기',
    now: (plan) => `이제 ${plan} 요금제를 이용합니다.`,
    done: '확인',
    current: '내 요금제',
    declined: '결제가 거절되었습니다.',
    pay: /^변경하고 .* 결제$/,
    title: (plan) => `${plan} 구독`,
    active: '이용 중',
    cancel: '구독 취소',
    cancelNow: '구독 취소하기',
    canceled: '구독을 취소했습니다',
    resume: '구독 재개',
    resumed: '구독을 재개했습니다',
    keepDefault: '기본 결제 수단은 삭제할 수 없습니다',
    remove: '삭제',
    saved: '카드를 저장했습니다',
    continue: '계속',
    toPayPal: 'PayPal로 이동',
    approve: '승인',
    agreement: '테스트 정기 결제 열기',
    charge: '다음 달 결제',
    charged: '다음 달 요금을 결제했습니다.',
    back: '내 구독으로',
  },
}

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const planCard = (page: Page, plan: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 2, name: plan, exact: true }) })
const available = async (person: Person) =>
  (await call<{ available: number }>(person, 'get', '/api/general/credit')).available

async function pageOf(person: Person, language: Language, country: 'KR' | 'Other' = 'KR'): Promise<Page> {
  await call(person, 'patch', '/api/auth/me/language', { language })
  const page = await person.context.newPage()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript((tag) => localStorage.setItem('vg.language', tag), language)
  await buyIn(page, country)
  return page
}

for (const language of LANGUAGES) {
  test.describe(`a subscriber on a phone, in ${language}`, () => {
    const words = WORDS[language]
    let admin: Person
    test.beforeAll(async ({ browser }) => {
      const { email, password } = demoAccount('Admin')
      admin = await signIn(await browser.newContext(), email, password)
      await planItem(admin, 'Basic')
      await planItem(admin, 'Pro')
    })
    test.afterAll(() => admin.context.close())

    test('adds a card, subscribes, switches up, cancels and resumes', async ({ browser }) => {
      const person = await join(browser, 'Suba')
      const page = await pageOf(person, language)
      const before = await available(person)

      await test.step('a card is added in the window of the provider, which leads back to the plan', async () => {
        await page.goto('/pricing')
        await fits(page, 'the plans')
        await button(page, words.subscribeTo('Basic')).press('Enter')
        const dialog = page.getByRole('dialog', { name: words.subscribe('Basic') })
        await dialog.getByRole('button', { name: words.addCard }).click()
        await expect(page).toHaveURL(/\/test-card\//)
        await expect(page.getByText(words.test)).toBeVisible()
        await fits(page, 'the test provider')
        await button(page, words.works).click()
        await expect(dialog.getByRole('button', { name: words.send })).toBeVisible()
        await expect(page).toHaveURL(/\/pricing\?plan=Basic$/)
        expect(await cardsOf(person)).toMatchObject([{ isDefault: true }])
      })

      await test.step('the terms are required, then the plan and its credits are there', async () => {
        const dialog = page.getByRole('dialog', { name: words.subscribe('Basic') })
        await dialog.getByRole('button', { name: words.send }).click()
        await expect(dialog.getByText(words.mustAgree)).toBeVisible()
        await expect(dialog.getByRole('checkbox')).toBeFocused()
        expect(await subscriptionOf(person)).toBeNull()
        await dialog.getByRole('checkbox').check()
        await fits(page, 'the dialog of a plan')
        await dialog.getByRole('button', { name: words.send }).click()
        await expect(dialog.getByText(words.now('Basic'))).toBeVisible()
        await dialog.getByRole('button', { name: words.done }).click()
        await expect(planCard(page, 'Basic').getByText(words.current)).toBeVisible()
        expect(await available(person)).toBeGreaterThan(before)
      })

      await test.step('a switch to a larger plan pays the shown difference', async () => {
        const paid = await available(person)
        await button(page, words.switchTo('Pro')).click()
        const dialog = page.getByRole('dialog', { name: words.switchTo('Pro') })
        const pay = dialog.getByRole('button', { name: words.pay })
        await expect(pay).toBeVisible()
        await fits(page, 'the dialog of a change')
        const price = /[$₩][\d.,]+/.exec((await pay.textContent()) ?? '')?.[0] ?? ''
        expect(price).not.toBe('')
        await pay.click()
        await expect(dialog.getByText(words.now('Pro'))).toBeVisible()
        expect(await available(person)).toBeGreaterThan(paid)
        await page.goto('/account?tab=orders')
        await expect(page.getByRole('article').first().getByText(price)).toBeVisible()
        await fits(page, 'the orders of a plan')
      })

      await test.step('it is canceled and resumed', async () => {
        await page.goto('/account?tab=subscription')
        const panel = page.getByRole('region', { name: words.title('Pro') })
        await expect(panel.getByText(words.active, { exact: true })).toBeVisible()
        await fits(page, 'the subscription')
        await panel.getByRole('button', { name: words.cancel }).click()
        await page.getByRole('dialog').getByRole('button', { name: words.cancelNow, exact: true }).click()
        await expect(page.getByText(words.canceled)).toBeVisible()
        expect(await subscriptionOf(person)).toMatchObject({ plan: 'Pro', isCanceled: true })
        await panel.getByRole('button', { name: words.resume }).click()
        await expect(page.getByText(words.resumed)).toBeVisible()
        await expect(panel.getByText(words.active, { exact: true })).toBeVisible()
        expect(await subscriptionOf(person)).toMatchObject({ plan: 'Pro', isCanceled: false })
      })
      await person.context.close()
    })

    test('approves an agreement in dollars, is charged for a second month, and cancels', async ({ browser }) => {
      const person = await join(browser, 'Paya')
      const page = await pageOf(person, language, 'Other')
      const before = await available(person)

      await page.goto('/pricing?plan=Basic')
      const dialog = page.getByRole('dialog', { name: words.subscribe('Basic') })
      await dialog.getByRole('checkbox').check()
      await dialog.getByRole('button', { name: words.toPayPal }).click()
      await expect(page).toHaveURL(/\/test-agreement\//)
      await fits(page, 'the approval of an agreement')
      await button(page, words.approve).click()
      const panel = page.getByRole('region', { name: words.title('Basic') })
      await expect(panel.getByText(words.active, { exact: true })).toBeVisible()
      const paid = await available(person)
      expect(paid).toBeGreaterThan(before)

      await panel.getByRole('link', { name: words.agreement }).click()
      await button(page, words.charge).click()
      await expect(page.getByText(words.charged)).toBeVisible()
      await fits(page, 'a running agreement')
      await expect.poll(() => available(person)).toBeGreaterThan(paid)

      await page.getByRole('link', { name: words.back }).click()
      await panel.getByRole('button', { name: words.cancel }).click()
      await page.getByRole('dialog').getByRole('button', { name: words.cancelNow, exact: true }).click()
      await expect(page.getByText(words.canceled)).toBeVisible()
      expect(await subscriptionOf(person)).toMatchObject({ plan: 'Basic', status: 'Active', isCanceled: true })
      await person.context.close()
    })

    test('is told that the card is declined, and cannot delete the default card', async ({ browser }) => {
      const person = await join(browser, 'Deka')
      const page = await pageOf(person, language)

      await test.step('a card is added in the tab of the account', async () => {
        await page.goto('/account?tab=payment')
        await button(page, words.addCard).click()
        await page.getByRole('dialog').getByRole('button', { name: words.continue, exact: true }).click()
        await button(page, words.declines).click()
        await expect(page.getByText(words.saved)).toBeVisible()
        await expect(page).toHaveURL(/\/account\?tab=payment$/)
        await fits(page, 'the cards')
      })

      await test.step('its payment is declined, and nothing is left behind', async () => {
        await page.goto('/pricing?plan=Basic')
        const dialog = page.getByRole('dialog', { name: words.subscribe('Basic') })
        await dialog.getByRole('checkbox').check()
        await dialog.getByRole('button', { name: words.send }).click()
        await expect(dialog.getByRole('alert').filter({ hasText: words.declined })).toBeVisible()
        expect((await subscriptionOf(person))?.status ?? 'Ended').toBe('Ended')
      })

      await test.step('the default card stays, another one can be deleted', async () => {
        await saveCard(person)
        await page.goto('/account?tab=payment')
        const [first, second] = [page.getByRole('article').first(), page.getByRole('article').last()]
        await expect(first.getByRole('button', { name: words.remove })).toBeDisabled()
        await expect(first.getByText(words.keepDefault)).toBeVisible()
        await second.getByRole('button', { name: words.remove }).click()
        await page.getByRole('dialog').getByRole('button', { name: words.remove, exact: true }).click()
        await expect(page.getByRole('article')).toHaveCount(1)
        expect(await cardsOf(person)).toMatchObject([{ isDefault: true }])
      })
      await person.context.close()
    })
  })
}
