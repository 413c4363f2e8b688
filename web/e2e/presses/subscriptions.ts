import { expect, type Page, type Route } from '@playwright/test'
import {
  buyIn,
  cardsOf,
  changePlan,
  endSubscription,
  openAgreement,
  openCard,
  planItem,
  saveCard,
  subscribe,
  subscriptionOf,
} from '../plan-items'
import { call, type Fixtures } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const CARDS = '/account?tab=payment'
const OWN = '/account?tab=subscription'
const PLAN = 'Standard'
const LARGER = 'Pro'

/** A member with a card and no subscription. */
async function withoutPlan({ admin, member }: Fixtures): Promise<string> {
  await endSubscription(admin, member)
  await planItem(admin, PLAN)
  await planItem(admin, LARGER)
  if ((await cardsOf(member)).length === 0) await saveCard(member)
  return ''
}

/** A member who has just subscribed. */
async function withPlan(fixtures: Fixtures, plan = PLAN): Promise<string> {
  await withoutPlan(fixtures)
  return JSON.stringify(await subscribe(fixtures.admin, fixtures.member, plan))
}

/** The page of an agreement that waits for its approval. */
async function agreement({ admin, member }: Fixtures): Promise<string> {
  await endSubscription(admin, member)
  return openAgreement(admin, member, PLAN)
}

const twoCards = async ({ member }: Fixtures) => {
  await saveCard(member)
  return (await saveCard(member))._id
}
const answerWith = (json: unknown) => (route: Route) => route.fulfill({ json })
const pressed = (page: Page, name: string | RegExp) => mainButton(page, name).click()

/** Cards and subscriptions, for subscribers and admins. */
export const SUBSCRIPTIONS: Press[] = [
  {
    hook: 'billing/useOpenCardWindow',
    who: 'member',
    before: (page) => buyIn(page, 'KR'),
    path: CARDS,
    reach: (page) => pressed(page, 'Add a card'),
    button: (page) => dialogButton(page, 'Continue'),
    writes: ['POST /api/general/payment-method'],
    kept: (page) => expect(page).toHaveURL(/\/test-card\//),
  },
  {
    hook: 'billing/useAnswerTestCard',
    who: 'member',
    stage: async ({ member }) => (await openCard(member)).path,
    path: (path) => path,
    button: (page) => mainButton(page, 'A card that works'),
    // The person goes back to the cards, where the new one is saved.
    writes: ['POST /api/public/test-card/:id/answer', 'POST /api/general/payment-method/:id/complete'],
    kept: (page) => expect(page.getByText('The card was saved')).toBeVisible(),
  },
  {
    hook: 'billing/useCompleteMethod',
    who: 'member',
    stage: async ({ member }) => {
      const { id, path } = await openCard(member)
      await call(member, 'post', `/api/public${path}/answer`, { answer: 'Works' })
      return id
    },
    before: (page) =>
      page.route(
        '**/api/general/payment-method/*/complete',
        (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up', requestId: 'r' } }),
        { times: 1 },
      ),
    path: (id) => `${CARDS}&method=${id}`,
    button: (page) => mainButton(page, 'Try again'),
    writes: ['POST /api/general/payment-method/:id/complete'],
    kept: (page) => expect(page.getByText('The card was saved')).toBeVisible(),
  },
  {
    hook: 'billing/useSaveCard',
    who: 'member',
    // The form is off in these servers.
    before: async (page) => {
      await buyIn(page, 'KR')
      const card = {
        _id: '01970000-0000-7000-8000-000000000000',
        provider: 'TossPayments',
        label: '4330-12**-****-1234',
        issuer: 'Green',
        currency: 'USD',
        isDefault: false,
        createdAt: new Date().toISOString(),
      }
      await page.route('**/api/general/payment-method', (route) =>
        route.request().method() === 'POST'
          ? answerWith({ _id: card._id, page: null, toss: null, hasCardForm: true })(route)
          : route.fallback(),
      )
      await page.route('**/api/general/payment-method/*/card', answerWith(card))
    },
    path: CARDS,
    reach: async (page) => {
      await pressed(page, 'Add a card')
      await dialogButton(page, 'Continue').click()
      const form = page.getByRole('dialog', { name: 'Add a card' })
      await form.getByLabel('Card number').fill('4330123412341234')
      await form.getByLabel('Expiration').fill('12/99')
      await form.getByLabel('First 2 digits of the card password').fill('12')
      await form.getByLabel('Identity number').fill('881212')
      await form.getByLabel('Name', { exact: true }).fill('Mira')
      await form.getByRole('checkbox').check()
    },
    button: (page) => dialogButton(page, 'Save card'),
    writes: ['POST /api/general/payment-method/:id/card'],
    kept: (page) => expect(page.getByRole('dialog')).toHaveCount(0),
  },
  {
    hook: 'billing/useMakeDefault',
    who: 'member',
    stage: twoCards,
    path: CARDS,
    button: (page) => mainButton(page, /^Make .* the default$/),
    writes: ['PUT /api/general/payment-method/:id/default'],
    kept: async (_page, _made, { member }) =>
      expect((await cardsOf(member)).filter(({ isDefault }) => isDefault)).toHaveLength(1),
  },
  {
    hook: 'billing/useRemoveMethod',
    who: 'member',
    stage: async (fixtures) => {
      await twoCards(fixtures)
      return String((await cardsOf(fixtures.member)).length)
    },
    path: CARDS,
    // The first one is the default, which cannot be deleted.
    reach: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^Delete / })
        .last()
        .click(),
    button: (page) => dialogButton(page, 'Delete'),
    writes: ['DELETE /api/general/payment-method/:id'],
    kept: async (_page, before, { member }) => expect(await cardsOf(member)).toHaveLength(Number(before) - 1),
  },
  {
    hook: 'billing/useSubscribe',
    who: 'member',
    stage: withoutPlan,
    before: (page) => buyIn(page, 'KR'),
    path: '/pricing',
    reach: async (page) => {
      await pressed(page, `Subscribe to ${PLAN}`)
      await page.getByRole('dialog').getByRole('checkbox').check()
    },
    button: (page) => dialogButton(page, 'Subscribe and pay'),
    writes: ['POST /api/general/subscription'],
    kept: async (page, _made, { member }) => {
      await expect(page.getByText(`You are on ${PLAN} now.`)).toBeVisible()
      expect(await subscriptionOf(member)).toMatchObject({ plan: PLAN, status: 'Active' })
    },
  },
  {
    hook: 'billing/useAnswerTestAgreement',
    who: 'member',
    stage: agreement,
    path: (path) => path,
    button: (page) => mainButton(page, 'Approve'),
    // The subscriber goes back to the subscription, which asks what became of the agreement.
    writes: ['POST /api/public/test-agreement/:id/answer', 'POST /api/general/subscription/complete'],
    kept: async (page, _made, { member }) => {
      await expect(page.getByRole('link', { name: 'Open the test agreement' })).toBeVisible()
      expect(await subscriptionOf(member)).toMatchObject({ plan: PLAN, status: 'Active' })
    },
  },
  {
    hook: 'billing/useChangeTestAgreement',
    who: 'member',
    stage: async (fixtures) => {
      const path = await agreement(fixtures)
      await call(fixtures.member, 'post', `/api/public${path}/answer`, { answer: 'Approve' })
      return path
    },
    path: (path) => path,
    button: (page) => mainButton(page, 'Charge the next month'),
    writes: ['POST /api/public/test-agreement/:id/answer'],
    kept: (page) => expect(page.getByText('The next month was charged.')).toBeVisible(),
  },
  {
    hook: 'billing/useChangePlan',
    who: 'member',
    stage: (fixtures) => withPlan(fixtures),
    before: (page) => buyIn(page, 'KR'),
    path: `/pricing?plan=${LARGER}`,
    button: (page) => dialogButton(page, /^Switch and pay /),
    writes: ['PUT /api/general/subscription/plan'],
    kept: async (page, _made, { member }) => {
      await expect(page.getByText(`You are on ${LARGER} now.`)).toBeVisible()
      expect(await subscriptionOf(member)).toMatchObject({ plan: LARGER, status: 'Active' })
    },
  },
  {
    hook: 'billing/useKeepPlan',
    who: 'member',
    stage: async (fixtures) => {
      await withPlan(fixtures, LARGER)
      await changePlan(fixtures.admin, fixtures.member, PLAN)
      return ''
    },
    path: OWN,
    button: (page) => mainButton(page, `Keep ${LARGER}`),
    writes: ['PUT /api/general/subscription/plan'],
    kept: async (_page, _made, { member }) =>
      expect(await subscriptionOf(member)).toMatchObject({ plan: LARGER, nextPlan: null }),
  },
  {
    hook: 'billing/useCancelSubscription',
    who: 'member',
    stage: (fixtures) => withPlan(fixtures),
    path: OWN,
    reach: (page) => pressed(page, 'Cancel subscription'),
    button: (page) => dialogButton(page, 'Cancel subscription'),
    writes: ['POST /api/general/subscription/cancel'],
    kept: async (_page, _made, { member }) =>
      expect(await subscriptionOf(member)).toMatchObject({ status: 'Active', isCanceled: true }),
  },
  {
    hook: 'billing/useCompleteSubscription',
    who: 'member',
    stage: (fixtures) => withPlan(fixtures),
    // A test server has no PayPal: a plan that a card pays is answered as it is.
    before: (page) =>
      page.route(
        '**/api/general/subscription/complete',
        (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up', requestId: 'r' } }),
        { times: 1 },
      ),
    path: `${OWN}&paypal=returned`,
    button: (page) => mainButton(page, 'Ask again'),
    writes: ['POST /api/general/subscription/complete'],
    kept: (page) => expect(mainButton(page, 'Ask again')).toHaveCount(0),
  },
  {
    hook: 'billing/useResumeSubscription',
    who: 'member',
    stage: async (fixtures) => {
      await withPlan(fixtures)
      await call(fixtures.member, 'post', '/api/general/subscription/cancel')
      return ''
    },
    path: OWN,
    button: (page) => mainButton(page, 'Resume subscription'),
    writes: ['POST /api/general/subscription/resume'],
    kept: async (_page, _made, { member }) =>
      expect(await subscriptionOf(member)).toMatchObject({ status: 'Active', isCanceled: false }),
  },
  {
    hook: 'billing/useRetryPayment',
    who: 'member',
    stage: (fixtures) => withPlan(fixtures),
    // A payment fails at the end of a period, which no test waits for.
    before: async (page, made) => {
      const paid = JSON.parse(made) as object
      const subscription = { ...paid, status: 'PastDue', tries: 1, nextTryAt: new Date().toISOString() }
      await page.route('**/api/general/subscription', answerWith({ subscription }))
      await page.route('**/api/general/subscription/retry', answerWith(paid))
    },
    path: OWN,
    button: (page) => mainButton(page, 'Try the payment again'),
    writes: ['POST /api/general/subscription/retry'],
    kept: (page) => expect(page.getByText('The payment succeeded')).toBeVisible(),
  },
  {
    hook: 'billing/useEndSubscription',
    who: 'admin',
    stage: (fixtures) => withPlan(fixtures),
    path: (_made, { member }) =>
      `/admin/subscription-calendar?status=Active&search=${encodeURIComponent(member.email)}`,
    reach: async (page) => {
      await pressed(page, new RegExp(`^End ${PLAN} of `))
      await page.getByRole('dialog').getByLabel('Reason').fill('Twice')
    },
    button: (page) => dialogButton(page, 'End now'),
    writes: ['POST /api/admin/subscription/:id/end'],
    kept: async (_page, _made, { member }) => expect((await subscriptionOf(member))?.status ?? 'Ended').toBe('Ended'),
  },
]
