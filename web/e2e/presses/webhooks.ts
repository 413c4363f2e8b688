import { expect, type Page } from '@playwright/test'
import { type Crew, call } from './crew'
import { answer, named, type Press } from './row'

const CONFIG = '/api/general/webhook-config'
const ACCOUNT = '/account?tab=webhooks'
const AT = '2026-01-01T00:00:00Z'
const ATTEMPT = '01970000-0000-7000-8000-0000000000c1'

type Config = { _id: string; name: string; webhookUrl: string }
const webhooks = async ({ member }: Crew) => (await call<{ items: Config[] }>(member, 'get', CONFIG)).items
/** A webhook of the member's for what nothing does here, so that nothing is ever sent to its address. */
const webhook = async ({ member }: Crew) => {
  const name = `Press ${Date.now()}`
  const body = { name, webhookUrl: 'https://example.com/hook', webhookEventIds: ['workflow_api.deleted'] }
  return (await call<Config>(member, 'post', CONFIG, body))._id
}
const opened = (id: string) => `${ACCOUNT}&webhook=${id}`
const nameOf = async (crew: Crew, id: string) => (await webhooks(crew)).find(({ _id }) => _id === id)?.name ?? ''
/** A button of this webhook: there may be others. */
const of = async (page: Page, crew: Crew, id: string, name: string) =>
  page.getByRole('article', { name: await nameOf(crew, id) }).getByRole('button', { name, exact: true })
/** What would send something to an address outside is answered as if it had. */
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
  webhookEventEmbed: { name: 'job.done' },
}

/** The webhooks of the account. */
export const WEBHOOKS: Press[] = [
  {
    hook: 'webhooks/useAddWebhook',
    who: 'member',
    path: ACCOUNT,
    reach: async (page) => {
      await named(page, 'Add webhook').click()
      const form = page.getByRole('dialog')
      await form.getByLabel('Name', { exact: true }).fill('Only one')
      await form.getByLabel('Address').fill('https://example.com/hook')
      await form.getByRole('checkbox', { name: /^Workflow API deleted/ }).check()
    },
    button: (page) => answer(page, 'Add webhook'),
    writes: [`POST ${CONFIG}`],
    kept: async (page, _, crew) => {
      // It is shown only this once: the second press may not take it away.
      await expect(page.getByRole('dialog', { name: 'Signing secret' })).toBeVisible()
      expect((await webhooks(crew)).filter(({ name }) => name === 'Only one')).toHaveLength(1)
    },
  },
  {
    hook: 'webhooks/useChangeWebhook',
    who: 'member',
    stage: webhook,
    path: ACCOUNT,
    reach: async (page, id, crew) => {
      await (await of(page, crew, id, 'Edit')).click()
      await page.getByRole('dialog').getByLabel('Address').fill('https://example.com/other')
    },
    button: (page) => answer(page, 'Save'),
    writes: [`PATCH ${CONFIG}/:id`],
    kept: async (_page, id, crew) =>
      expect((await webhooks(crew)).find(({ _id }) => _id === id)?.webhookUrl).toBe('https://example.com/other'),
  },
  {
    hook: 'webhooks/useRotateSecret',
    who: 'member',
    stage: webhook,
    path: ACCOUNT,
    reach: async (page, id, crew) => (await of(page, crew, id, 'New secret')).click(),
    button: (page) => answer(page, 'Make a new secret'),
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
    reach: async (page, id, crew) => (await of(page, crew, id, 'Resend failed')).click(),
    button: (page) => answer(page, 'Resend'),
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
    button: (page) => named(page, 'Resend'),
    writes: [`POST ${CONFIG}/resend/workflowHistory/:id`],
  },
  {
    hook: 'webhooks/useEnableWebhook',
    who: 'member',
    stage: webhook,
    before: async (page, id) => {
      // An address is given up after days: the server's own answer, with this one in it as if they had passed.
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
    button: (page) => named(page, 'Enable'),
    writes: [`POST ${CONFIG}/:id/enable`],
    kept: (page) => expect(named(page, 'Enable')).toHaveCount(0),
  },
  {
    hook: 'webhooks/useDeleteWebhook',
    who: 'member',
    stage: webhook,
    path: ACCOUNT,
    reach: async (page, id, crew) => (await of(page, crew, id, 'Delete')).click(),
    button: (page) => answer(page, 'Delete'),
    writes: [`DELETE ${CONFIG}/:id`],
    kept: async (_page, id, crew) => expect((await webhooks(crew)).map(({ _id }) => _id)).not.toContain(id),
  },
]
