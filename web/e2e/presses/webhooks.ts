import { expect, type Page } from '@playwright/test'
import { call, type Fixtures } from './fixtures'
import { dialogButton, mainButton, type Press } from './row'

const CONFIG = '/api/general/webhook-config'
const ACCOUNT = '/account?tab=webhooks'
const AT = '2026-01-01T00:00:00Z'
const ATTEMPT = '01970000-0000-7000-8000-0000000000c1'

type Config = { _id: string; name: string; webhookUrl: string }
const webhooks = async ({ member }: Fixtures) => (await call<{ items: Config[] }>(member, 'get', CONFIG)).items
/** A webhook of the member for an event that never occurs, so that nothing is sent to its address. */
const webhook = async ({ member }: Fixtures) => {
  const name = `Press ${Date.now()}`
  const body = { name, webhookUrl: 'https://example.com/hook', webhookEventIds: ['workflow_api.deleted'] }
  return (await call<Config>(member, 'post', CONFIG, body))._id
}
const opened = (id: string) => `${ACCOUNT}&webhook=${id}`
const nameOf = async (fixtures: Fixtures, id: string) =>
  (await webhooks(fixtures)).find(({ _id }) => _id === id)?.name ?? ''
/** A button of this webhook; there may be others. */
const of = async (page: Page, fixtures: Fixtures, id: string, name: string) =>
  page.getByRole('article', { name: await nameOf(fixtures, id) }).getByRole('button', { name, exact: true })
/** Mocks the success of deliveries to external addresses. */
const sends = (path: string, json: object) => async (page: Page) => {
  await page.route(`**${CONFIG}/${path}`, (route) => route.fulfill({ status: 202, json }))
}
const attempt = {
  _id: ATTEMPT,
  job: null,
  groupId: ATTEMPT,
  status: 'Failed',
  responseStatus: 500,
  attemptNumber: 1,
  attemptAt: AT,
  createdAt: AT,
  respondedAt: AT,
  response: '',
  payload: '{}',
  error: null,
  nextAttemptAt: null,
  attempts: 1,
  webhookEventEmbed: { name: 'job.done' },
}

/** The webhooks of the account. */
export const WEBHOOKS: Press[] = [
  {
    hook: 'webhooks/useAddWebhook',
    who: 'member',
    path: ACCOUNT,
    reach: async (page) => {
      await mainButton(page, 'Add webhook').click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name', { exact: true }).fill('Only one')
      await form.getByLabel('Address').fill('https://example.com/hook')
      await form.getByRole('checkbox', { name: /^Workflow API deleted/ }).check()
    },
    button: (page) => dialogButton(page, 'Add webhook'),
    writes: [`POST ${CONFIG}`],
    kept: async (page, _, fixtures) => {
      // The secret is shown only once: the second click must not close the dialog.
      await expect(page.getByRole('dialog', { name: 'Signing secret' })).toBeVisible()
      expect((await webhooks(fixtures)).filter(({ name }) => name === 'Only one')).toHaveLength(1)
    },
  },
  {
    hook: 'webhooks/useChangeWebhook',
    who: 'member',
    stage: webhook,
    path: ACCOUNT,
    reach: async (page, id, fixtures) => {
      await (await of(page, fixtures, id, 'Edit')).click()
      await page.getByRole('dialog').getByLabel('Address').fill('https://example.com/other')
    },
    button: (page) => dialogButton(page, 'Save'),
    writes: [`PATCH ${CONFIG}/:id`],
    kept: async (_page, id, fixtures) =>
      expect((await webhooks(fixtures)).find(({ _id }) => _id === id)?.webhookUrl).toBe('https://example.com/other'),
  },
  {
    hook: 'webhooks/useRotateSecret',
    who: 'member',
    stage: webhook,
    path: ACCOUNT,
    reach: async (page, id, fixtures) => (await of(page, fixtures, id, 'New secret')).click(),
    button: (page) => dialogButton(page, 'Create a new secret'),
    writes: [`POST ${CONFIG}/:id/secret`],
    kept: (page) => expect(page.getByRole('dialog', { name: 'Signing secret' })).toBeVisible(),
  },
  {
    hook: 'webhooks/useTestWebhook',
    who: 'member',
    stage: webhook,
    before: sends('*/test', { groupId: ATTEMPT }),
    path: opened,
    button: (page) =>
      page.getByRole('article').filter({ hasText: 'No history' }).getByRole('button', { name: 'Send test' }),
    writes: [`POST ${CONFIG}/:id/test`],
  },
  {
    hook: 'webhooks/useResendFailed',
    who: 'member',
    stage: webhook,
    before: sends('*/resend-failed', { count: 2 }),
    path: ACCOUNT,
    reach: async (page, id, fixtures) => (await of(page, fixtures, id, 'Resend failed')).click(),
    button: (page) => dialogButton(page, 'Resend'),
    writes: [`POST ${CONFIG}/:id/resend-failed`],
  },
  {
    hook: 'webhooks/useResendAttempt',
    who: 'member',
    stage: webhook,
    before: async (page) => {
      await sends('resend/workflowHistory/*', { groupId: ATTEMPT })(page)
      await page.route('**/api/general/webhook-history/*', (route) =>
        route.fulfill({ json: { data: [attempt], pagination: { page: 1, hasMore: false } } }),
      )
    },
    path: opened,
    button: (page) => mainButton(page, 'Resend'),
    writes: [`POST ${CONFIG}/resend/workflowHistory/:id`],
  },
  {
    hook: 'webhooks/useEnableWebhook',
    who: 'member',
    stage: webhook,
    before: async (page, id) => {
      // A webhook is disabled after days of failures: the server's own response, with this one disabled.
      const disabled = { isActive: false, disabledAt: AT, disabledReason: 'failing' }
      let isEnabled = false
      await page.route(`**${CONFIG}`, async (route) => {
        const answer = await route.fetch()
        const { items } = (await answer.json()) as { items: Config[] }
        const shown = items.map((one) => (one._id === id && !isEnabled ? { ...one, ...disabled } : one))
        await route.fulfill({ json: { items: shown } })
      })
      await page.route(`**${CONFIG}/*/enable`, async (route) => {
        isEnabled = true
        await route.continue()
      })
    },
    path: ACCOUNT,
    button: (page) => mainButton(page, 'Enable'),
    writes: [`POST ${CONFIG}/:id/enable`],
    kept: (page) => expect(mainButton(page, 'Enable')).toHaveCount(0),
  },
  {
    hook: 'webhooks/useDeleteWebhook',
    who: 'member',
    stage: webhook,
    path: ACCOUNT,
    reach: async (page, id, fixtures) => (await of(page, fixtures, id, 'Delete')).click(),
    button: (page) => dialogButton(page, 'Delete'),
    writes: [`DELETE ${CONFIG}/:id`],
    kept: async (_page, id, fixtures) => expect((await webhooks(fixtures)).map(({ _id }) => _id)).not.toContain(id),
  },
]
