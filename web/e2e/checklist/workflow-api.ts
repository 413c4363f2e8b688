import { expect, type Page } from '@playwright/test'
import { liftByKeyboard } from '../sorting'
import { expectToast, mockRefusal, mockSuccess, type Row } from './row'

export const WORKFLOW = '01970000-0000-7000-8000-0000000000aa'
export const API = '01970000-0000-7000-8000-0000000000ab'
export const PATH = `/workflow-api/${WORKFLOW}`
const EDITOR = `**/api/general/workflow-api/editor/${WORKFLOW}`
const SAVE = '**/api/general/workflow-api'
export const SHARED = '**/api/general/workflow-api-shared'

export const input = (id: string, name: string, uiType: string, raw: unknown, more: object = {}) => ({
  order: 1,
  id,
  kind: 'required',
  name,
  nodeName: 'Node',
  nodeDisplayName: 'Node',
  pythonModuleName: 'nodes',
  raw,
  adapter: { name, uiType, apiFieldName: `${id}.Node.${name}`, ...more },
})
const words = input('6', 'text', 'textarea', ['STRING', { multiline: true }], { default: 'a boat' })
const seed = input('3', 'seed', 'seed', ['INT', { min: 0, max: 2 ** 53 }], { isRandom: true })
const steps = input('3', 'steps', 'range', ['INT', {}], { default: 20 })
const prefix = { ...input('9', 'prefix', 'text', ['STRING', {}]), kind: 'optional' }
const output = { id: '9', order: 1, name: 'Picture', apiFieldName: 'picture' }
const preview = { id: '10', order: 0, name: 'Preview', apiFieldName: '10.Preview' }

type Input = typeof words
const node = (id: string, title: string, required: Input[], more: object = {}) => ({
  id,
  title,
  name: title,
  display_name: title,
  python_module: 'nodes',
  output_node: false,
  missing: false,
  inputs: { required: Object.fromEntries(required.map((one) => [one.name, one])), optional: {} },
  ...more,
})
const NODES = [
  node('3', 'KSampler', [seed, steps]),
  node('6', 'Words', [words]),
  node('9', 'Save', [], { output_node: true, inputs: { required: {}, optional: { prefix } } }),
  node('12', 'Unheard', [], { missing: true }),
]
export const keyed = (inputs: Input[]) =>
  Object.fromEntries(inputs.map((one, at) => [`${one.id}.${one.name}`, { ...one, order: at + 1 }]))
const rjsf = {
  schema: {
    type: 'object',
    properties: { '6.Node.text': { type: 'string', title: 'text', default: 'a boat', maxLength: 100 } },
    required: ['6.Node.text'],
  },
  uiSchema: { '6.Node.text': { 'ui:widget': 'textarea' } },
}
const healthy = { ok: true, problems: [] as object[] }
export const saved = {
  _id: API,
  inputs: keyed([words, seed]),
  outputs: { 9: output },
  rjsf,
  health: healthy,
  works: { ok: null as boolean | null, checkedAt: null, missing: { classes: [] as string[], models: [] as string[] } },
  updatedAt: '2026-01-01T00:00:00Z',
  workflow: { _id: WORKFLOW, name: 'Silk' },
}
const editor = {
  hasPrompt: true,
  workflow: { _id: WORKFLOW, name: 'Silk' },
  nodes: NODES,
  outputs: [output, preview],
  proposal: { inputs: keyed([words]), outputs: { 9: output } },
  saved: saved as typeof saved | null,
}
const prompt = JSON.stringify({
  output: { 3: { class_type: 'KSampler' }, 6: { class_type: 'Words' }, 9: { class_type: 'Save' } },
})

const version = (id: string, isCurrent: boolean) => ({
  _id: id,
  isCurrent,
  createdAt: '2026-01-01T00:00:00Z',
  run: `/api/general/job/workflow-api/${API}/version/${id}`,
  openapi: `/api/public/workflow-api/${API}/version/${id}/openapi`,
})
const OLD_VERSION = version('01970000-0000-7000-8000-0000000000ae', false)
const VERSIONS = { items: [version('01970000-0000-7000-8000-0000000000af', true), OLD_VERSION], nextCursor: null }

/** Mocks the editor with these overrides. `shared` are the users with whom the API is shared. */
export const stage =
  (change: Partial<typeof editor> = {}, problems: object[] = [], shared: object[] = []) =>
  async (page: Page) => {
    const health = { ok: problems.length === 0, problems }
    // Removes the previous line's unsaved draft from this browser.
    await page.addInitScript((id) => localStorage.removeItem(`vg.api.${id}`), WORKFLOW)
    await mockSuccess(page, 'GET', EDITOR, { ...editor, ...change })
    // The graph is our own drawing, except where a row stands in for the node editor.
    await page.route('**/comfyui-editor/installed.json', (route) => route.fulfill({ json: { installed: false } }))
    await mockSuccess(page, 'POST', '**/api/general/workflow-api/preview', { rjsf, health })
    await mockSuccess(page, 'GET', `**/api/general/workflow/${WORKFLOW}*`, { name: 'Silk', prompt })
    await mockSuccess(page, 'GET', `${SHARED}/${API}/shared-users`, { items: shared })
    await mockSuccess(page, 'GET', `**/api/general/webhook-config/${API}`, { items: [] })
    await mockSuccess(page, 'GET', `**/api/general/workflow-api/${API}/version?*`, VERSIONS)
  }
const fresh = stage({ saved: null })
const gone = { place: 'inputs.6.text', code: 'NODE_GONE', message: 'made up' }
const otto = {
  _id: '01970000-0000-7000-8000-0000000000ac',
  createdAt: '2026-01-01T00:00:00Z',
  sharedUser: { _id: '01970000-0000-7000-8000-0000000000ad', email: 'otto@example.com', name: 'Otto' },
}

export const button = (page: Page, name: string | RegExp) =>
  page.getByRole('main').getByRole('button', { name, exact: typeof name === 'string' })
export const choice = (page: Page, name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}\\b`) })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })
export const cards = (page: Page, part: 'Inputs' | 'Outputs') =>
  page.getByRole('list', { name: part, exact: true }).getByRole('article')

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
    before: stage(),
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
  },
  {
    proves: '2 §9 the search is fuzzy, with a threshold of 0.3; 2 §8 no search results',
    who: 'person',
    path: PATH,
    before: stage(),
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
    before: stage(),
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
    proves: '2 §4 a seed is random or fixed; 1 §4 a fixed one is a random number up to the largest safe integer',
    who: 'person',
    path: `${PATH}?tab=detail`,
    before: stage(),
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
    proves:
      '2 §2 a UI preview panel with the form, and an API Result area at the bottom; 1 §5 required fields have a star',
    who: 'person',
    path: PATH,
    before: stage(),
    see: async (page) => {
      const form = page.getByRole('region', { name: 'Form preview' })
      await expect(form.getByLabel('text')).toHaveValue('a boat')
      await expect(form.getByTitle('required')).toBeVisible()
      const result = page.getByRole('region', { name: 'API result' })
      const [above, below] = [await form.boundingBox(), await result.boundingBox()]
      expect(above && below && below.y >= above.y + above.height).toBe(true)
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
