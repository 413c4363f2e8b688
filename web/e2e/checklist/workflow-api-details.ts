import { expect, type Page } from '@playwright/test'
import { standInPreview } from '../editor-frame'
import { expectToast, mockRefusal, type Row } from './row'
import { API, button, cards, choice, input, keyed, PATH, SHARED, saved, stage, WORKFLOW } from './workflow-api-stage'

const JOB = '01970000-0000-7000-8000-0000000000ae'
const sampler = input('3', 'sampler', 'select', [['euler', 'ddim', 'lcm'], {}], { default: 'euler' })
const share = async (page: Page, email: string) => {
  await page.getByLabel('E-mail').fill(email)
  await button(page, 'Share').click()
}

/** The workflow API editor: the graph's frame, the details of entries, and what survives. */
export const WORKFLOW_API_DETAILS: Row[] = [
  {
    proves:
      '2 §2 the frame /comfyui?flow={id}&readonly=true on the left; 2 §4 moveToNode to it, outputNodeDefs and nodeClick back',
    who: 'person',
    path: PATH,
    before: async (page) => {
      await stage()(page)
      await standInPreview(page, [
        { id: '6', title: 'Words' },
        { id: '9', title: 'Save' },
      ])
    },
    see: async (page) => {
      const frame = page.locator('iframe[title="Graph"]')
      await expect(frame).toHaveAttribute('src', `/comfyui-editor/?flow=${WORKFLOW}&readonly=true`)
      const graph = page.frameLocator('iframe[title="Graph"]')
      await expect(graph.getByRole('button', { name: 'Node 6' })).toBeVisible()
      await choice(page, 'steps').check()
      await expect(graph.getByText('moved to 3')).toBeVisible()
      await graph.getByRole('button', { name: 'Node 9' }).click()
      await expect(page.getByRole('tabpanel').getByRole('button', { name: /^#9/ }).first()).toBeFocused()
      await expect(page.getByRole('region', { name: 'Outputs' }).getByText(/^This node does not run/)).toHaveCount(1)
      const [left, right] = [await frame.boundingBox(), await page.getByRole('tablist').boundingBox()]
      expect(left && right && left.x + left.width < right.x).toBe(true)
    },
  },
  {
    proves: 'A20 without the node editor and on phones the graph is our own drawing',
    who: 'person',
    width: 390,
    path: PATH,
    before: async (page) => {
      await stage()(page)
      await standInPreview(page, [])
    },
    see: async (page) => {
      await button(page, 'Show the graph').click()
      await expect(page.getByRole('region', { name: 'Graph' }).getByRole('button', { name: '#6 Words' })).toBeVisible()
      await expect(page.locator('iframe')).toHaveCount(0)
    },
  },
  {
    proves: '2 §3 an output has id, order, name and apiFieldName',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: stage(),
    see: async (page) => {
      const card = cards(page, 'Outputs').first()
      await expect(card.getByText('1', { exact: true })).toBeVisible()
      await card.getByRole('button', { name: /^Picture/ }).click()
      await expect(card.getByText(/#9/).first()).toBeVisible()
      await expect(card.getByLabel('Name of the result', { exact: true })).toHaveValue('Picture')
      await expect(card.getByLabel('API field name', { exact: true })).toHaveValue('picture')
    },
  },
  {
    proves: '2 §3 options: the form offers some of the choices of a node, under names of their own',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: stage({ saved: { ...saved, inputs: keyed([sampler]) } }),
    see: async (page) => {
      const card = cards(page, 'Inputs').first()
      await card.getByRole('checkbox', { name: 'ddim' }).uncheck()
      await card.getByLabel('Name of lcm', { exact: true }).fill('Fast')
      const sent = page.waitForRequest((request) => /workflow-api$/.test(request.url()))
      await button(page, 'Save').click()
      const body = (await sent).postDataJSON() as { inputs: Record<string, { adapter: { options: unknown } }> }
      expect(body.inputs['3.sampler']?.adapter.options).toEqual(['euler', { value: 'lcm', label: 'Fast' }])
    },
  },
  {
    proves: '2 §4 after a run polling starts and the form is disabled until the job is done',
    who: 'person',
    path: PATH,
    before: async (page) => {
      await stage()(page)
      let status = 'Running'
      await page.exposeFunction('endJob', () => {
        status = 'ExecuteError'
      })
      await page.route(`**/api/general/job/workflow-api/${API}`, (route) =>
        route.fulfill({ status: 201, json: { _id: JOB, status: 'Pending', seeds: {}, nodeErrors: {}, workers: 1 } }),
      )
      await page.route(new RegExp(`/api/general/job/${JOB}/`), (route) =>
        route.fulfill({
          json: { _id: JOB, status, executeException: { exception_message: 'no such colour' }, progress: null },
        }),
      )
    },
    see: async (page) => {
      const field = page.getByRole('region', { name: 'Form preview' }).getByLabel('text')
      await button(page, 'Test run').click()
      const result = page.getByRole('region', { name: 'API result' })
      await expect(result.getByText(`job created: ${JOB}`)).toBeVisible()
      await expect(field).toBeDisabled()
      await page.evaluate(() => (window as unknown as { endJob: () => void }).endJob())
      await expect(field).toBeEnabled()
      await expect(result.getByText(/Error: ExecuteError/)).toBeVisible()
      await expect(result.getByText(/no such colour/)).toBeVisible()
    },
  },
  {
    proves: 'A12 an own e-mail and a second time are refused, each with its reason',
    who: 'person',
    path: `${PATH}?tab=share`,
    before: stage(),
    see: async (page) => {
      for (const [code, text] of [
        ['SHARE_WITH_YOURSELF', /^This is your own e-mail/],
        ['SHARED_ALREADY', /^The API is already shared/],
      ] as const) {
        await mockRefusal(page, 'POST', SHARED, 409, code)
        await share(page, 'mira@example.com')
        await expectToast(page, text)
        await page.unroute(SHARED)
      }
    },
  },
  {
    proves: 'Drafts: unsaved changes survive a reload until they are discarded',
    who: 'person',
    path: PATH,
    before: stage(),
    see: async (page) => {
      await choice(page, 'steps').check()
      await expect(page.getByText('Unsaved changes')).toBeVisible()
      const draft = await page.evaluate((key) => localStorage.getItem(key), `vg.api.${WORKFLOW}`)
      // The stage removes drafts before each load.
      await page.addInitScript(({ key, text }) => localStorage.setItem(key, text), {
        key: `vg.api.${WORKFLOW}`,
        text: draft ?? '',
      })
      page.on('dialog', (dialog) => dialog.accept())
      await page.reload()
      await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible()
      await expect(choice(page, 'steps')).toBeChecked()
      await button(page, 'Discard').click()
      await expect(choice(page, 'steps')).not.toBeChecked()
    },
  },
]
