import { expect, type Page } from '@playwright/test'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'
import { API, PATH, stage } from './workflow-api-stage'

const CONFIG = '01970000-0000-7000-8000-0000000000ba'
const JOB = '01970000-0000-7000-8000-0000000000bb'
const LIST = '**/api/general/webhook-config'
const ONE = `${LIST}/${CONFIG}`
const HISTORY = `**/api/general/webhook-history/${CONFIG}*`
const ACCOUNT = '/account?tab=webhooks'
const OPEN = `${ACCOUNT}&webhook=${CONFIG}`
const AT = '2026-01-01T00:00:00Z'

const event = (id: string) => ({ _id: id, name: id, description: `made up: ${id}` })
const EVENTS = [
  'job.created',
  'job.started',
  'job.progress',
  'job.done',
  'job.failed',
  'job.canceled',
  'batch.finished',
  'workflow_api.saved',
  'workflow_api.deleted',
].map(event)
const config = {
  _id: CONFIG,
  name: 'Studio',
  webhookUrl: 'https://example.com/hook',
  webhookEvents: [event('job.done')],
  workflowApi: null as string | null,
  createdAt: AT,
  updatedAt: AT,
  isActive: true,
  disabledAt: null as string | null,
  disabledReason: null as string | null,
  failingSince: null as string | null,
  waiting: 0,
  lastAttempt: { status: 'Success', responseStatus: 200, attemptAt: AT },
}
const attempt = (at: number, change: object = {}) => ({
  _id: `01970000-0000-7000-8000-0000000000c${at}`,
  job: JOB,
  groupId: `01970000-0000-7000-8000-0000000000d${at}`,
  status: 'Success',
  responseStatus: 200,
  attemptNumber: 1,
  attemptAt: AT,
  createdAt: AT,
  respondedAt: AT,
  response: `answer ${at}`,
  payload: `{"number":${at}}`,
  error: null,
  nextAttemptAt: null,
  attempts: 1,
  webhookEventEmbed: { name: 'job.done' },
  ...change,
})
const spent = attempt(2, { attemptNumber: 10, attempts: 10, status: 'Failed', responseStatus: 500, response: '' })
const unspent = attempt(1, { attemptNumber: 9, attempts: 9, status: 'Failed', responseStatus: 500 })

type Config = typeof config

/** Mocks these webhooks, and these deliveries as the history of the first. */
const webhooks =
  (items: Config[] = [config], pages: object[][] = [[]]) =>
  async (page: Page) => {
    await mockSuccess(page, 'GET', '**/api/general/webhook-event', { items: EVENTS })
    await mockSuccess(page, 'GET', LIST, { items })
    await mockSuccess(page, 'GET', `${LIST}/${API}`, { items })
    await page.route(HISTORY, (route) => {
      const { searchParams } = new URL(route.request().url())
      const number = Number(searchParams.get('page'))
      const found = searchParams.has('search') ? [] : (pages[number - 1] ?? [])
      const hasMore = !searchParams.has('search') && number < pages.length
      return route.fulfill({ json: { data: found, pagination: { page: number, hasMore } } })
    })
  }

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
const dialogButton = (page: Page, name: string) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true })
const attempts = (page: Page) => page.getByRole('list', { name: 'History' }).getByRole('button')
const fill = async (page: Page) => {
  const form = page.getByRole('dialog', { name: 'Add webhook' })
  await form.getByLabel('Name', { exact: true }).fill('Studio')
  await form.getByLabel('Address').fill('https://example.com/hook')
  await form.getByRole('checkbox', { name: /^Job done/ }).check()
}

/** Webhooks: the second document. */
export const WEBHOOKS: Row[] = [
  {
    proves: '2 §2 webhook: a list of configs, an add dialog, settings and history of each',
    who: 'person',
    path: `${PATH}?tab=webhook`,
    before: async (page) => {
      await stage()(page)
      await webhooks([{ ...config, workflowApi: API }], [[attempt(1)]])(page)
    },
    see: async (page) => {
      await expect(page.getByRole('article', { name: 'Studio' })).toBeVisible()
      await button(page, 'Add webhook').click()
      await expect(page.getByRole('dialog', { name: 'Add webhook' })).toBeVisible()
      await dialogButton(page, 'Cancel').click()
      await button(page, 'History').click()
      await expect(attempts(page)).toHaveCount(1)
    },
  },
  {
    proves: '2 §7 a webhook belongs to a workflow API by its id: there has to be a saved one',
    who: 'person',
    path: `${PATH}?tab=webhook`,
    before: stage({ saved: null }),
    see: (page) => expect(page.getByText('Create (save) the API first')).toBeVisible(),
  },
  {
    proves:
      "2 §5 'Webhook Event IDs is required', 'Name is required', 'Webhook URL is not valid' if it begins with no http, https or ftp; https is advised",
    who: 'person',
    path: ACCOUNT,
    before: webhooks([]),
    see: async (page) => {
      await button(page, 'Add webhook').click()
      const form = page.getByRole('dialog', { name: 'Add webhook' })
      await dialogButton(page, 'Add webhook').click()
      await expect(form.getByText('Webhook Event IDs is required')).toBeVisible()
      await expect(form.getByText('Name is required')).toBeVisible()
      const wrong = form.getByText('Webhook URL is not valid')
      for (const [url, isWrong] of [
        ['example.com', true],
        ['mailto:a@example.com', true],
        ['ftp://example.com/in', false],
        ['http://example.com', false],
        ['https://example.com', false],
      ] as const) {
        await form.getByLabel('Address').fill(url)
        await expect(wrong).toHaveCount(isWrong ? 1 : 0)
        await expect(form.getByText('https whenever you can')).toHaveCount(!isWrong && !/^https/.test(url) ? 1 : 0)
      }
    },
  },
  {
    proves: "2 §7 POST name, webhookUrl, webhookEventIds; 2 §8 'Success Add Webhook Config'; the secret is shown once",
    who: 'person',
    path: ACCOUNT,
    before: async (page) => {
      await webhooks([])(page)
      await mockSuccess(page, 'POST', LIST, { ...config, secret: 'whsec_made_up' })
    },
    see: async (page) => {
      await button(page, 'Add webhook').click()
      await fill(page)
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await dialogButton(page, 'Add webhook').click()
      expect((await sent).postDataJSON()).toEqual({
        name: 'Studio',
        webhookUrl: 'https://example.com/hook',
        webhookEventIds: ['job.done'],
      })
      await expectToast(page, /^Success Add Webhook Config/)
      await expect(page.getByText('whsec_made_up')).toBeVisible()
      await expect(page.getByText(/Standard Webhooks/)).toBeVisible()
      await dialogButton(page, 'I have copied it').click()
      await expect(page.getByText('whsec_made_up')).toHaveCount(0)
    },
  },
  {
    proves: "2 §8 a webhook that is not added, changed or deleted: 'Failed ... Webhook Config: {message}'",
    who: 'person',
    path: ACCOUNT,
    before: async (page) => {
      await webhooks()(page)
      await mockRefusal(page, 'POST', LIST, 409, 'CONFLICT')
      await mockRefusal(page, 'PATCH|DELETE', ONE, 409, 'CONFLICT')
    },
    see: async (page) => {
      await button(page, 'Add webhook').click()
      await fill(page)
      await dialogButton(page, 'Add webhook').click()
      await expectToast(page, /^Failed Add Webhook Config: made up/)
      await dialogButton(page, 'Cancel').click()
      await button(page, 'Edit').click()
      await dialogButton(page, 'Save').click()
      await expectToast(page, /^Failed Update Webhook Config: made up/)
      await dialogButton(page, 'Cancel').click()
      await button(page, 'Delete').click()
      await dialogButton(page, 'Delete').click()
      await expectToast(page, /^Failed Delete Webhook Config: made up/)
    },
  },
  {
    proves:
      "2 §7 PATCH name, webhookUrl, webhookEvents; 2 §5 deleting asks; 2 §8 'Success Update/Delete Webhook Config'",
    who: 'person',
    path: ACCOUNT,
    before: async (page) => {
      await webhooks()(page)
      await mockSuccess(page, 'PATCH|DELETE', ONE, config)
    },
    see: async (page) => {
      await button(page, 'Edit').click()
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Home')
      const sent = page.waitForRequest((request) => request.method() === 'PATCH')
      await dialogButton(page, 'Save').click()
      expect((await sent).postDataJSON()).toEqual({
        name: 'Home',
        webhookUrl: 'https://example.com/hook',
        webhookEvents: ['job.done'],
      })
      await expectToast(page, /^Success Update Webhook Config/)
      await button(page, 'Delete').click()
      await dialogButton(page, 'Delete').click()
      await expectToast(page, /^Success Delete Webhook Config/)
    },
  },
  {
    proves: '2 §4 the first item of the history is selected; payload and response are shown, each with a copy button',
    who: 'person',
    path: OPEN,
    before: webhooks([config], [[attempt(1), spent]]),
    see: async (page) => {
      await expect(attempts(page).first()).toHaveAttribute('aria-current', 'true')
      const view = page.getByRole('region', { name: 'Job done' })
      for (const part of ['Payload', 'Response']) {
        await expect(view.getByRole('region', { name: part }).getByRole('button', { name: 'Copy' })).toBeVisible()
      }
      await expect(view.getByText('answer 1')).toBeVisible()
      await attempts(page).nth(1).click()
      await expect(view.getByText('answer 1')).toHaveCount(0)
      // 2 §8: an empty webhook response shows 'No data'.
      await expect(view.getByRole('region', { name: 'Response' }).getByText('No data')).toBeVisible()
    },
  },
  {
    proves: '2 §9 the history has pages of 5, and its search is exact; 2 §8 no history',
    who: 'person',
    path: OPEN,
    before: webhooks([config], [[1, 2, 3, 4, 5].map((at) => attempt(at)), [attempt(6)]]),
    see: async (page) => {
      await expect(attempts(page)).toHaveCount(5)
      await button(page, 'Older').click()
      await expect(attempts(page)).toHaveCount(1)
      await expect(button(page, 'Older')).toBeDisabled()
      const asked = page.waitForRequest((request) => request.url().includes('search='))
      await page.getByRole('searchbox', { name: 'Search the history' }).fill(JOB)
      await page.keyboard.press('Enter')
      const { searchParams } = new URL((await asked).url())
      expect(Object.fromEntries(searchParams)).toEqual({ page: '1', limit: '5', search: JOB })
      await expect(page.getByText('No history', { exact: true })).toBeVisible()
    },
  },
  {
    proves: "2 §4, §9 an attempt is sent again until the tenth; 2 §8 'success/failed to resend webhook'",
    who: 'person',
    path: OPEN,
    before: webhooks([config], [[unspent, spent]]),
    see: async (page) => {
      const one = `${LIST}/resend/workflowHistory/${unspent._id}`
      await mockRefusal(page, 'POST', one)
      await button(page, 'Resend').click()
      await expectToast(page, /^failed to resend webhook/)
      await page.unroute(one)
      await mockSuccess(page, 'POST', one, { groupId: unspent.groupId })
      await button(page, 'Resend').click()
      await expectToast(page, /^success to resend webhook/)
      await attempts(page).nth(1).click()
      await expect(button(page, 'Resend')).toBeDisabled()
    },
  },
  {
    proves: "2 §3 events have names and descriptions; 2 §1 those of an API are its jobs', its batches' and its own",
    who: 'person',
    path: `${PATH}?tab=webhook`,
    before: async (page) => {
      await stage()(page)
      await webhooks([])(page)
    },
    see: async (page) => {
      const names = ['created', 'started', 'progress', 'done', 'failed', 'canceled'].map((end) => `Job ${end}`)
      await button(page, 'Add webhook').click()
      const form = page.getByRole('dialog', { name: 'Add webhook' })
      const boxes = form.getByRole('checkbox')
      await expect(boxes).toHaveCount(EVENTS.length)
      for (const name of [...names, 'Batch finished', 'Workflow API saved', 'Workflow API deleted']) {
        await expect(form.getByRole('checkbox', { name: new RegExp(`^${name}`) })).toHaveAccessibleDescription(/\.$/)
      }
    },
  },
  {
    proves: "2 §4 payload and response are copied: 'Copied to {text}'",
    who: 'person',
    path: OPEN,
    before: async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await webhooks([config], [[attempt(1)]])(page)
    },
    see: async (page) => {
      const view = page.getByRole('region', { name: 'Job done' })
      for (const [part, text] of [
        ['Payload', '{"number":1}'],
        ['Response', 'answer 1'],
      ] as const) {
        await view.getByRole('region', { name: part }).getByRole('button', { name: 'Copy' }).click()
        await expectToast(page, `Copied to ${text}`)
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
      }
    },
  },
  {
    proves: 'the secret of a webhook is replaced after a question; the old one also signs for a day',
    who: 'person',
    path: ACCOUNT,
    before: async (page) => {
      await webhooks()(page)
      await mockSuccess(page, 'POST', `${ONE}/secret`, { secret: 'whsec_new', oldUntil: '2026-01-02T00:00:00Z' })
    },
    see: async (page) => {
      await button(page, 'New secret').click()
      await expect(page.getByText(/The old one also signs for 24 hours/)).toBeVisible()
      await dialogButton(page, 'Create a new secret').click()
      const dialog = page.getByRole('dialog', { name: 'Signing secret' })
      await expect(dialog.getByText('whsec_new')).toBeVisible()
      await expect(dialog.getByText(/^Until .* deliveries are also signed with the old secret/)).toBeVisible()
    },
  },
  {
    proves: 'a test event is sent; everything that failed since a time is sent again',
    who: 'person',
    path: ACCOUNT,
    before: async (page) => {
      await webhooks()(page)
      await mockSuccess(page, 'POST', `${ONE}/test`, { groupId: CONFIG })
      await mockSuccess(page, 'POST', `${ONE}/resend-failed`, { count: 7 })
    },
    see: async (page) => {
      await button(page, 'Send test').click()
      await expectToast(page, 'A test event is on its way')
      await button(page, 'Resend failed').click()
      await page.getByLabel('Failed since').fill('2026-01-01T08:00')
      const sent = page.waitForRequest((request) => request.url().endsWith('/resend-failed'))
      await dialogButton(page, 'Resend').click()
      const since = await page.evaluate(() => new Date('2026-01-01T08:00').toISOString())
      expect((await sent).postDataJSON()).toEqual({ since })
      await expectToast(page, '7 deliveries are being sent again')
    },
  },
  {
    proves: 'a disabled webhook shows the reason and can be enabled; a failing one shows since when',
    who: 'person',
    path: ACCOUNT,
    before: webhooks([
      { ...config, name: 'Old', isActive: false, disabledAt: AT, disabledReason: 'gone' },
      { ...config, _id: JOB, name: 'Ill', failingSince: AT },
    ]),
    see: async (page) => {
      await expect(page.getByRole('article', { name: 'Ill' }).getByText(/^Failing since/)).toBeVisible()
      const old = page.getByRole('article', { name: 'Old' })
      await expect(old.getByText(/permanently gone/)).toBeVisible()
      await mockSuccess(page, 'POST', `${ONE}/enable`, config)
      await webhooks()(page)
      await old.getByRole('button', { name: 'Enable' }).click()
      await expectToast(page, /^Old is enabled/)
      await expect(button(page, 'Enable')).toHaveCount(0)
    },
  },
  {
    proves: '2 §5, §8 the texts of webhooks in Korean: what is missing, the toast, no history',
    who: 'person',
    language: 'ko',
    path: OPEN,
    before: async (page) => {
      await webhooks()(page)
      await mockSuccess(page, 'DELETE', ONE)
    },
    see: async (page) => {
      await expect(page.getByText('기록 없음', { exact: true })).toBeVisible()
      await button(page, '웹훅 추가').click()
      const form = page.getByRole('dialog', { name: '웹훅 추가' })
      await dialogButton(page, '웹훅 추가').click()
      for (const text of ['웹훅의 이름을 입력하세요', '웹훅 주소가 올바르지 않습니다', '이벤트를 하나 이상 고르세요']) {
        await expect(form.getByText(text, { exact: true })).toBeVisible()
      }
      await dialogButton(page, '취소').click()
      await button(page, '삭제').click()
      await dialogButton(page, '삭제').click()
      await expectToast(page, /^웹훅을 삭제했습니다/)
    },
  },
  {
    proves: 'an attempt without an answer shows why, the number of the attempt, and when the next one is',
    who: 'person',
    path: OPEN,
    before: webhooks(
      [{ ...config, failingSince: AT, waiting: 1 }],
      [
        [
          attempt(1, {
            status: 'Failed',
            responseStatus: null,
            respondedAt: null,
            response: '',
            error: 'the address did not answer',
            nextAttemptAt: '2026-01-01T00:10:00Z',
            attemptNumber: 3,
            attempts: 3,
          }),
        ],
      ],
    ),
    see: async (page) => {
      const view = page.getByRole('region', { name: 'Job done' })
      await expect(view.getByText('The address did not answer.')).toBeVisible()
      for (const [term, text] of [
        ['Status', 'Failed'],
        ['Attempt', '3'],
      ] as const) {
        await expect(view.getByText(term, { exact: true }).locator('xpath=following-sibling::dd[1]')).toHaveText(text)
      }
      await expect(view.getByText('Next attempt', { exact: true })).toBeVisible()
    },
  },
  {
    proves: 'a disabled webhook is sent nothing, also where the page does not know yet; the limit of webhooks is told',
    who: 'person',
    path: OPEN,
    before: async (page) => {
      await webhooks([config], [[attempt(1)]])(page)
      await mockRefusal(page, 'POST', `${LIST}/resend/**`, 422, 'WEBHOOK_DISABLED')
      await mockRefusal(page, 'POST', LIST, 422, 'WEBHOOK_LIMIT')
    },
    see: async (page) => {
      await button(page, 'Resend').click()
      await expectToast(page, 'This webhook is disabled. Enable it first.')
      await button(page, 'Add webhook').click()
      await fill(page)
      await dialogButton(page, 'Add webhook').click()
      await expectToast(page, 'Failed Add Webhook Config: You have reached the limit of webhooks.')
    },
  },
  {
    proves: 'a webhook belongs to one API, or to the account, and both can have the end of batches',
    who: 'person',
    path: `${PATH}?tab=webhook`,
    before: async (page) => {
      await stage()(page)
      await webhooks([])(page)
    },
    see: async (page) => {
      await page.getByRole('link', { name: 'There are webhooks for the whole account, too.' }).click()
      await expect(page).toHaveURL(/\/account\?tab=webhooks$/)
      await button(page, 'Add webhook').click()
      const boxes = page.getByRole('dialog', { name: 'Add webhook' }).getByRole('checkbox')
      await expect(boxes).toHaveCount(EVENTS.length)
      await expect(page.getByRole('checkbox', { name: /^Batch finished/ })).toBeVisible()
      const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().includes('webhook'))
      await fill(page)
      await mockSuccess(page, 'POST', LIST, { ...config, secret: 'whsec_made_up' })
      await dialogButton(page, 'Add webhook').click()
      expect(new URL((await sent).url()).pathname).toBe('/api/general/webhook-config')
    },
  },
]
