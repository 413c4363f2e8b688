import { expect } from '@playwright/test'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'
import { API, button, fresh, OLD_VERSION, PATH, SHARED, saved, stage } from './workflow-api-stage'

const otto = {
  _id: '01970000-0000-7000-8000-0000000000ac',
  createdAt: '2026-01-01T00:00:00Z',
  sharedUser: { _id: '01970000-0000-7000-8000-0000000000ad', email: 'otto@example.com', name: 'Otto' },
}

/** A saved workflow API: who may run it, how it is called, and the ways to its editor. */
export const SAVED_WORKFLOW_API: Row[] = [
  {
    proves: "2 §5 sharing needs a saved API: 'create (save) the API first'",
    who: 'person',
    path: `${PATH}?tab=share`,
    before: fresh,
    see: (page) => expect(page.getByText('Create (save) the API first')).toBeVisible(),
  },
  {
    proves: "2 §5 'enter an email', 'enter a valid email'; 2 §8 'shared workflow api', the server's message else",
    who: 'person',
    path: `${PATH}?tab=share`,
    before: stage(),
    see: async (page) => {
      await button(page, 'Share').click()
      await expect(page.getByText('Enter an email')).toBeVisible()
      await page.getByLabel('E-mail').fill('otto@')
      await expect(page.getByText('Enter a valid email')).toBeVisible()
      await page.getByLabel('E-mail').fill('otto@example.com')
      await mockRefusal(page, 'POST', SHARED, 404, 'SHARE_USER_UNKNOWN')
      await button(page, 'Share').click()
      await expectToast(page, /^No account uses this e-mail/)
      await page.unroute(SHARED)
      await mockRefusal(page, 'POST', SHARED, 403, 'CASE_STATE')
      await page.getByLabel('E-mail').fill('mira@example.com')
      await button(page, 'Share').click()
      await expectToast(page, /^made up/)
      await page.unroute(SHARED)
      await mockSuccess(page, 'POST', SHARED, otto)
      await page.getByLabel('E-mail').fill('otto@example.com')
      const sent = page.waitForRequest((request) => request.method() === 'POST' && /-shared$/.test(request.url()))
      await button(page, 'Share').click()
      expect((await sent).postDataJSON()).toEqual({ workflowApiId: API, userEmail: 'otto@example.com' })
      await expectToast(page, /^shared workflow api/)
    },
  },
  {
    proves:
      "2 §3 a shared user has an e-mail; 2 §5 ending it asks; 2 §8 'shared user was deleted', 'error during deletion'",
    who: 'person',
    path: `${PATH}?tab=share`,
    before: stage({}, [], [otto]),
    see: async (page) => {
      await expect(page.getByText('otto@example.com')).toBeVisible()
      const one = `${SHARED}/${otto._id}`
      const end = async () => {
        await button(page, 'Stop sharing with otto@example.com').click()
        await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click()
      }
      await mockRefusal(page, 'DELETE', one)
      await end()
      await expectToast(page, /^error during deletion/)
      await page.unroute(one)
      await mockSuccess(page, 'DELETE', one)
      await end()
      await expectToast(page, /^shared user was deleted/)
    },
  },
  {
    proves:
      '2 §2 dataPreview: request, response, every field with type, limits and default, examples in three languages',
    who: 'person',
    path: `${PATH}?tab=dataPreview`,
    before: stage(),
    see: async (page) => {
      const fields = page.getByRole('region', { name: 'Fields of the API' })
      await expect(fields.getByRole('row').nth(1)).toHaveText('6.Node.text *stringup to 100 characters"a boat"')
      await expect(
        page.getByText(`POST ${new URL(page.url()).origin}/api/general/job/workflow-api/${API}`),
      ).toBeVisible()
      await expect(
        page.getByRole('region', { name: 'Outputs of the API' }).getByText('picture', { exact: true }),
      ).toBeVisible()
      for (const [name, words] of [
        ['curl', 'curl -s'],
        ['Python', 'import requests'],
        ['TypeScript', 'await fetch'],
      ] as const) {
        await page.getByRole('radio', { name, exact: true }).click()
        const example = page.getByRole('region', { name: 'Examples' })
        await expect(example.getByText(words)).toBeVisible()
        await expect(example.getByRole('button', { name: 'Copy' })).toBeVisible()
      }
      await expect(button(page, 'OpenAPI')).toBeVisible()
    },
  },
  {
    proves: 'Versions: the owner copies the addresses of the call and of the document of each version',
    who: 'person',
    path: `${PATH}?tab=dataPreview`,
    before: stage(),
    see: async (page) => {
      await page.context().grantPermissions(['clipboard-write', 'clipboard-read'])
      const { origin } = new URL(page.url())
      const versions = page.getByRole('region', { name: 'Versions' }).getByRole('article')
      await expect(versions).toHaveCount(2)
      await expect(versions.first().getByText('Current', { exact: true })).toBeVisible()
      await expect(versions.last().getByText('Current', { exact: true })).toHaveCount(0)
      for (const [name, path] of [
        ['Copy call address', OLD_VERSION.run],
        ['Copy document address', OLD_VERSION.openapi],
      ] as const) {
        await versions.last().getByRole('button', { name }).click()
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${origin}${path}`)
      }
    },
  },
  {
    proves: '1 §2 admins have API on the card of a workflow',
    who: 'admin',
    path: '/admin/workflow-files',
    see: async (page) => {
      const card = page.locator('article').first()
      await card.hover()
      await card.getByRole('button', { name: 'API', exact: true }).click()
      await expect(page).toHaveURL(/\/admin\/workflow-api\/[0-9a-f-]+$/)
    },
  },
  {
    proves: "1 §6 admins have the 'Workflow API setup' link",
    who: 'admin',
    path: ({ post }) => `/admin/workflows/${post}`,
    see: async (page) => {
      await button(page, 'Workflow API setup').click()
      await expect(page).toHaveURL(/\/admin\/workflow-api\/[0-9a-f-]+$/)
    },
  },
  {
    proves: '1 §6 the page of a workflow links its owner to the API',
    who: 'person',
    path: ({ own }) => own && `/workflows/${own}`,
    see: async (page) => {
      await button(page, 'API').click()
      await expect(page).toHaveURL(/\/workflow-api\/[0-9a-f-]+$/)
    },
  },
  {
    proves: "Works today: the editor shows an app's author what no worker has",
    who: 'person',
    path: PATH,
    before: stage({
      saved: {
        ...saved,
        works: { ok: false, checkedAt: null, missing: { classes: ['Weave'], models: ['vae/silk.pt'] } },
      },
    }),
    see: async (page) => {
      await expect(page.getByText('This app does not work today.')).toBeVisible()
      for (const name of ['Weave', 'vae/silk.pt']) await expect(page.getByText(name, { exact: true })).toBeVisible()
    },
  },
]
