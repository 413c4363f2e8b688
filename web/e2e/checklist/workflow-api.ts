import { expect, type Page } from '@playwright/test'
import { liftByKeyboard } from '../sorting'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'
import {
  API,
  button,
  cards,
  choice,
  EDITOR,
  fresh,
  keyed,
  PATH,
  saved,
  stage,
  steps,
  WORKFLOW,
} from './workflow-api-stage'

const SAVE = '**/api/general/workflow-api'
const gone = { place: 'inputs.6.text', code: 'NODE_GONE', message: 'made up' }

/** The mocks of rows that share a page. */
const mocks = stage()

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

/** The workflow API editor: the second document. */
export const WORKFLOW_API: Row[] = [
  {
    proves:
      '2 §2 the tab is in the query parameter tab: select, detail, share, webhook, dataPreview; select is the default',
    who: 'person',
    path: PATH,
    before: stage(),
    see: async (page) => {
      await expect(tab(page, 'Select')).toHaveAttribute('aria-selected', 'true')
      for (const [name, key] of [
        ['Details', 'detail'],
        ['Share', 'share'],
        ['Webhooks', 'webhook'],
        ['Data preview', 'dataPreview'],
      ] as const) {
        await tab(page, name).click()
        await expect(page).toHaveURL(new RegExp(`tab=${key}$`))
      }
      await page.goto(`${PATH}?tab=detail`)
      await expect(tab(page, 'Details')).toHaveAttribute('aria-selected', 'true')
    },
  },
  {
    proves: '2 §2 select: a left list of nodes with selectable inputs, a right list of output nodes',
    who: 'person',
    path: PATH,
    before: mocks,
    see: async (page) => {
      const inputs = page.getByRole('region', { name: 'Inputs' })
      const outputs = page.getByRole('region', { name: 'Outputs' })
      await expect(inputs.getByRole('checkbox')).toHaveCount(4)
      await expect(outputs.getByRole('checkbox')).toHaveCount(2)
      const [left, right] = [await inputs.boundingBox(), await outputs.boundingBox()]
      expect(left && right && left.x + left.width < right.x + 1).toBe(true)
      await expect(inputs.getByText('optional')).toBeVisible()
      await expect(inputs.getByText('No connected worker knows this node.')).toBeVisible()
    },
    keepsPage: true,
  },
  {
    proves:
      '2 §2 a UI preview panel with the form, and an API Result area at the bottom; 1 §5 required fields have a star',
    who: 'person',
    path: PATH,
    before: mocks,
    see: async (page) => {
      const form = page.getByRole('region', { name: 'Form preview' })
      await expect(form.getByLabel('text')).toHaveValue('a boat')
      await expect(form.getByTitle('required')).toBeVisible()
      const result = page.getByRole('region', { name: 'API result' })
      const [above, below] = [await form.boundingBox(), await result.boundingBox()]
      expect(above && below && below.y >= above.y + above.height).toBe(true)
    },
    keepsPage: true,
  },
  {
    proves: '2 §9 the search is fuzzy, with a threshold of 0.3; 2 §8 no search results',
    who: 'person',
    path: PATH,
    before: mocks,
    see: async (page) => {
      const search = page.getByRole('searchbox', { name: 'Search nodes and inputs' })
      await search.fill('ksampelr')
      await expect(choice(page, 'seed')).toBeVisible()
      await expect(choice(page, 'text')).toHaveCount(0)
      await search.fill('zzzzzz')
      await expect(page.getByText('No search results')).toHaveCount(2)
    },
  },
  {
    proves: '2 §8 no inputs, no outputs',
    who: 'person',
    path: PATH,
    before: stage({ nodes: [], outputs: [], saved: null }),
    see: async (page) => {
      await expect(page.getByText('No inputs', { exact: true })).toBeVisible()
      await expect(page.getByText('No outputs', { exact: true })).toBeVisible()
    },
  },
  {
    proves: '2 §2 detail: input cards and output cards, each with an add panel that opens beside it',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: mocks,
    see: async (page) => {
      await expect(cards(page, 'Inputs')).toHaveCount(2)
      await expect(cards(page, 'Outputs')).toHaveCount(1)
      for (const part of ['inputs', 'outputs'] as const) {
        await button(page, `Add ${part}`).click()
        const panel = page.getByRole('dialog', { name: `Add ${part}` })
        const [box, card] = [await panel.boundingBox(), await cards(page, 'Inputs').first().boundingBox()]
        expect(box && card && card.x + card.width < box.x).toBe(true)
        await page.keyboard.press('Escape')
        await expect(panel).toHaveCount(0)
      }
    },
    keepsPage: true,
  },
  {
    proves: '2 §4 a seed is random or fixed; 1 §4 a fixed one is a random number up to the largest safe integer',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: mocks,
    see: async (page) => {
      await button(page, /^seed #3/).click()
      const card = cards(page, 'Inputs').nth(1)
      await expect(card.getByRole('radio', { name: 'Random' })).toBeChecked()
      await card.getByRole('radio', { name: 'Fixed' }).click()
      const number = Number(await card.getByRole('textbox', { name: 'Default' }).inputValue())
      expect(Number.isSafeInteger(number) && number >= 0).toBe(true)
    },
  },
  {
    proves: '2 §4 a new input gets the count plus one, a new output the max plus one; dragging and removing renumber',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: stage(),
    see: async (page) => {
      await button(page, 'Add inputs').click()
      await page
        .getByRole('dialog')
        .getByRole('checkbox', { name: /^steps/ })
        .check()
      await page.keyboard.press('Escape')
      const names = async () => (await cards(page, 'Inputs').allTextContents()).map((words) => words.slice(0, 3))
      await expect.poll(names).toEqual(['1te', '2se', '3st'])
      await button(page, 'Move steps').focus()
      await liftByKeyboard(page, 3, 2)
      await page.keyboard.press('Space')
      await expect.poll(names).toEqual(['1te', '2st', '3se'])
      await button(page, 'Remove text').click()
      await expect.poll(names).toEqual(['1st', '2se'])
    },
  },
  {
    proves:
      '2 §3 an input has name, uiType, default, min, max, step, apiFieldName and tooltip; 1 §5 min 0, max 100, step 1',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: stage({ saved: { ...saved, inputs: keyed([steps]) as typeof saved.inputs } }),
    see: async (page) => {
      const card = cards(page, 'Inputs').first()
      for (const [label, value] of [
        ['Name in the form', 'steps'],
        ['API field name', '3.Node.steps'],
        ['Default', '20'],
        ['Minimum', ''],
        ['Maximum', ''],
        ['Step', ''],
        ['Tooltip', ''],
      ] as const)
        await expect(card.getByLabel(label, { exact: true })).toHaveValue(value)
      await expect(card.getByLabel('Control')).toHaveValue('range')
      for (const [label, usual] of [
        ['Minimum', '0'],
        ['Maximum', '100'],
        ['Step', '1'],
      ] as const)
        await expect(card.getByLabel(label, { exact: true })).toHaveAttribute('placeholder', usual)
    },
  },
  {
    proves: "1 §5 'Missing node in setup'; 2 §4 newly found problems switch to the detail tab and open the warning",
    who: 'person',
    path: PATH,
    before: stage({}, [gone]),
    see: async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Please check the setup' })
      await expect(dialog.getByText(/Missing node in setup/)).toBeVisible()
      await expect(page).toHaveURL(/tab=detail/)
      await dialog.getByRole('button', { name: 'OK' }).click()
      await expect(
        cards(page, 'Inputs')
          .first()
          .getByText(/^Missing node in setup/),
      ).toBeVisible()
    },
  },
  {
    proves: "1 §5 '현재 워크플로우에 동일한 노드가 없습니다. 노드를 확인해주세요.'",
    who: 'person',
    language: 'ko',
    path: PATH,
    before: stage({}, [gone]),
    see: async (page) => {
      const text = '현재 워크플로우에 동일한 노드가 없습니다. 노드를 확인해주세요.'
      await expect(page.getByRole('dialog').getByText(text)).toBeVisible()
    },
  },
  {
    proves: "2 §5 saving: 'input or output settings have a problem, fix then save'",
    who: 'person',
    path: PATH,
    before: stage({}, [gone]),
    see: async (page) => {
      await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
      await button(page, 'Save').click()
      const text = 'The input or output settings have a problem. Fix it, then save.'
      await expect(page.getByRole('dialog').getByText(text)).toBeVisible()
    },
  },
  {
    proves: "2 §5 saving: 'set up the workflow API first' without an API field, 'specify an output' without an output",
    who: 'person',
    path: PATH,
    before: fresh,
    see: async (page) => {
      await button(page, 'Save').click()
      await expect(page.getByRole('dialog').getByText(/^Set up the workflow API first/)).toBeVisible()
      await page.getByRole('dialog').getByRole('button', { name: 'OK' }).click()
      await choice(page, 'seed').check()
      await button(page, 'Save').click()
      await expect(page.getByRole('dialog').getByText('Specify an output.')).toBeVisible()
    },
  },
  {
    proves: "2 §4 the unsaved flag; 2 §7 POST /general/workflow-api with workflow; 2 §8 'saved workflow api'",
    who: 'person',
    path: PATH,
    before: async (page) => {
      await fresh(page)
      await mockSuccess(page, 'POST', SAVE, saved)
    },
    see: async (page) => {
      await button(page, 'Use this selection').click()
      await expect(page.getByText('Unsaved changes')).toBeVisible()
      const sent = page.waitForRequest((request) => request.method() === 'POST' && /workflow-api$/.test(request.url()))
      await button(page, 'Save').click()
      const body = (await sent).postDataJSON() as { workflow: string; inputs: object; outputs: object }
      expect(body.workflow).toBe(WORKFLOW)
      expect(Object.keys(body.inputs)).toEqual(['6.text'])
      expect(Object.keys(body.outputs)).toEqual(['9'])
      await expectToast(page, /^saved workflow api/)
      await expect(page.getByText('Unsaved changes')).toHaveCount(0)
    },
  },
  {
    proves: "2 §8 a save that fails: the server's message, else 'failed to save workflow api'",
    who: 'person',
    path: PATH,
    before: async (page) => {
      await stage()(page)
      await mockRefusal(page, 'POST', SAVE, 500)
    },
    see: async (page) => {
      await button(page, 'Save').click()
      await expectToast(page, /^failed to save workflow api/)
      await page.unroute(SAVE)
      await mockRefusal(page, 'POST', SAVE, 422, 'WORKFLOW_API_NO_PROMPT')
      await button(page, 'Save').click()
      await expectToast(page, /^made up/)
    },
  },
  {
    proves: "2 §5 deleting asks; 2 §8 'deleted workflow api', and with nothing saved 'workflow api not found'",
    who: 'person',
    path: PATH,
    before: async (page) => {
      await stage()(page)
      await mockSuccess(page, 'DELETE', `${SAVE}/${API}`)
    },
    see: async (page) => {
      await button(page, 'Delete').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expectToast(page, /^deleted workflow api/)
      await button(page, 'Delete').click()
      await expectToast(page, /^workflow api not found/)
    },
  },
  {
    proves: "2 §8 a refresh that fails: 'failed to refresh'",
    who: 'person',
    path: PATH,
    before: stage(),
    see: async (page) => {
      await mockRefusal(page, 'GET', EDITOR, 503, 'UNAVAILABLE')
      await button(page, 'Refresh').click()
      await expectToast(page, /^failed to refresh/)
      await expect(choice(page, 'seed')).toBeVisible()
    },
  },
  {
    proves: "2 §5 a test: 'save the workflow API', and 'there are changes, save before testing'",
    who: 'person',
    path: PATH,
    before: fresh,
    see: async (page) => {
      await button(page, 'Use this selection').click()
      await button(page, 'Test run').click()
      await expectToast(page, /^Save the workflow API first/)
      await stage()(page)
      await page.reload()
      await choice(page, 'steps').check()
      await button(page, 'Test run').click()
      await expectToast(page, /^There are changes. Save before testing/)
    },
  },
  {
    proves:
      "2 §4 POST /general/job/workflow-api/{id} runs a test; 1 §8 'job created: {id}', 'Job Create Error: {message}'",
    who: 'person',
    path: PATH,
    before: async (page) => {
      await stage()(page)
      await mockRefusal(page, 'POST', `**/api/general/job/workflow-api/${API}`, 422, 'INVALID_PROMPT')
    },
    see: async (page) => {
      await expect(page.getByText('Run the API to generate images!')).toBeVisible()
      await button(page, 'Test run').click()
      await expectToast(page, /^Job Create Error: made up/)
    },
  },
  {
    proves: '2 §2 the graph on the left: choosing an entry shows its node, clicking a node finds it in the lists',
    who: 'person',
    path: PATH,
    before: stage(),
    see: async (page) => {
      const graph = page.getByRole('region', { name: 'Graph' })
      await choice(page, 'steps').check()
      await expect(graph.getByRole('button', { name: '#3 KSampler' })).toHaveAttribute('aria-pressed', 'true')
      await graph.getByRole('button', { name: 'Whole graph' }).click()
      await graph.getByRole('button', { name: '#6 Words' }).click()
      await expect(page.getByRole('tabpanel').getByRole('button', { name: /^#6/ })).toBeFocused()
    },
  },
  {
    proves: '2 §2 the close button and Escape go back; unsaved changes ask first',
    who: 'person',
    path: '/workflows',
    before: stage(),
    see: async (page) => {
      for (const leave of [() => page.keyboard.press('Escape'), () => button(page, 'Close').click()]) {
        await page.goto('/workflows')
        await page.goto(PATH)
        await choice(page, 'steps').check()
        await page.getByRole('heading', { level: 1 }).click()
        await leave()
        await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
        await expect(page).toHaveURL(new RegExp(`${PATH}$`))
        await choice(page, 'steps').uncheck()
        await page.getByRole('heading', { level: 1 }).click()
        await leave()
        await expect(page).not.toHaveURL(new RegExp(PATH))
      }
    },
  },
  {
    proves: '2 §2 an error shows a link to the home page',
    who: 'person',
    path: PATH,
    before: (page) => mockRefusal(page, 'GET', EDITOR, 404, 'NOT_FOUND'),
    see: async (page) => {
      await page.getByRole('main').getByRole('link', { name: 'Go to Home' }).click()
      await expect(page).toHaveURL(/\/$/)
    },
  },
]
